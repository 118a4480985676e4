//! Which columns the list has, in which order, and how wide each is.

/// What can stand in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The verdict.
    Verdict,
    /// When it was created.
    Created,
    /// The tool.
    Tool,
    /// The execution status.
    Status,
    /// Which attempt of how many, or that it is a copy.
    Try,
    /// The file.
    File,
    /// The id.
    Id,
    /// The class of the verdict.
    Class,
    /// The provenance class.
    Provenance,
    /// When it arrived here.
    Arrived,
    /// The size of the file.
    Size,
}

impl Column {
    /// Every column there is.
    pub const ALL: [Column; 11] = [
        Column::Verdict,
        Column::Created,
        Column::Tool,
        Column::Status,
        Column::Try,
        Column::File,
        Column::Id,
        Column::Class,
        Column::Provenance,
        Column::Arrived,
        Column::Size,
    ];

    /// What stands in the list unless the operator wants something else, the most important first.
    pub const DEFAULT: [Column; 6] =
        [Column::Verdict, Column::Created, Column::Tool, Column::Status, Column::Try, Column::File];

    /// Its name in the settings.
    pub const fn as_str(self) -> &'static str {
        match self {
            Column::Verdict => "verdict",
            Column::Created => "created",
            Column::Tool => "tool",
            Column::Status => "status",
            Column::Try => "try",
            Column::File => "file",
            Column::Id => "id",
            Column::Class => "class",
            Column::Provenance => "provenance",
            Column::Arrived => "arrived",
            Column::Size => "size",
        }
    }

    /// The least and the most columns it takes.
    const fn range(self) -> (u16, u16) {
        match self {
            Column::Verdict => (11, 13),
            Column::Created | Column::Arrived => (12, WITH_DATE),
            Column::Tool => (8, 40),
            Column::Status => (7, 24),
            Column::Try => (4, 7),
            Column::File => (16, 80),
            Column::Id => (13, 36),
            Column::Class => (10, 28),
            Column::Provenance => (10, 24),
            Column::Size => (8, 10),
        }
    }

    /// Whether a cell that has too little room is cut in its middle.
    pub(super) const fn keeps_both_ends(self) -> bool {
        matches!(self, Column::File | Column::Id)
    }
}

/// Columns of a time with its date.
pub(super) const WITH_DATE: u16 = 23;

/// The columns there is room for, in the operator's order, with their widths.
///
/// A column earlier in the operator's list is given its least width first. What is left goes, bit by bit, to those whose
/// rows need more, to the dates last; `needs` tells how wide the longest cell is. Nothing is cut while there is room.
pub(super) fn widths(room: u16, shown: &[Column], needs: impl Fn(Column) -> u16) -> Vec<(Column, u16)> {
    let wanted = |column: Column| {
        let (least, most) = column.range();
        needs(column).clamp(least, most)
    };
    let is_time = |column: Column| column.range().1 == WITH_DATE;
    let mut rest = room;
    let mut out: Vec<(Column, u16)> = Vec::new();
    for column in shown {
        let least = column.range().0;
        let gap = u16::from(!out.is_empty());
        // The file comes where nothing else is cut for it.
        let others: u16 = match column {
            Column::File => out.iter().filter(|(one, _)| !is_time(*one)).map(|(one, width)| wanted(*one) - width).sum(),
            _ => 0,
        };
        if out.iter().any(|(one, _)| one == column) || rest < least + gap + others {
            continue;
        }
        rest -= least + gap;
        out.push((*column, least));
    }
    // The first column alone is better cut than left out.
    if let (true, Some(first)) = (out.is_empty(), shown.first()) {
        return vec![(*first, room)];
    }
    let mut grew = true;
    while rest > 0 && grew {
        grew = false;
        for (column, width) in out.iter_mut().filter(|(column, _)| !is_time(*column)) {
            if *width < wanted(*column) && rest > 0 {
                *width += 1;
                rest -= 1;
                grew = true;
            }
        }
    }
    // A time needs all of its date or none of it.
    for (column, width) in out.iter_mut().filter(|(column, _)| is_time(*column)) {
        let missing = wanted(*column).saturating_sub(*width);
        if missing <= rest {
            *width += missing;
            rest -= missing;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(widths: &[(Column, u16)]) -> u16 {
        widths.iter().map(|(_, width)| width + 1).sum::<u16>().saturating_sub(1)
    }

    #[test]
    fn columns_never_need_more_than_there_is() {
        for room in 0..300u16 {
            for need in [0, 9, 40, u16::MAX] {
                let got = widths(room, &Column::ALL, |_| need);
                assert!(used(&got) <= room, "{room}: {got:?}");
            }
        }
    }

    #[test]
    fn nothing_is_cut_while_there_is_room() {
        let needs = |column| match column {
            Column::Status => 20,
            Column::Tool => 10,
            _ => 4,
        };
        for room in 11 + 1 + 12 + 1 + 10 + 1 + 20 + 1 + 4..120 {
            let got = widths(room, &Column::DEFAULT, needs);
            let width = |column| got.iter().find(|(one, _)| *one == column).map(|(_, width)| *width);
            assert_eq!((width(Column::Status), width(Column::Tool)), (Some(20), Some(10)), "{room}");
        }
    }

    #[test]
    fn the_order_is_the_operators_and_what_comes_first_stays() {
        let got = widths(40, &[Column::Tool, Column::Size, Column::Verdict, Column::Tool], |_| 10);
        let order: Vec<Column> = got.iter().map(|(column, _)| *column).collect();
        assert_eq!(order, [Column::Tool, Column::Size, Column::Verdict]);
        let got = widths(19, &[Column::Tool, Column::Verdict, Column::Try], |_| 0);
        assert_eq!(got, [(Column::Tool, 8), (Column::Try, 4)]);
        assert_eq!(widths(3, &[Column::Verdict], |_| 0), [(Column::Verdict, 3)]);
    }
}
