//! From the faults of a record to its headline (rules §1).

use super::report::{Check, Class, Headline, Layer, Report, Shape};

/// Decides which class speaks, and the headline (rules §1): a digest mismatch always, else the first fault that is
/// not merely a status, else the status; with none of them `without_faults`.
pub(super) fn settle(report: &mut Report, without_faults: Headline) {
    let digest = report.faults.iter().find(|f| f.class == Class::DigestMismatch);
    let speaking = digest.or_else(|| report.faults.iter().find(|f| f.class != Class::StatusNotVerified));
    match speaking {
        Some(fault) => {
            report.class = Some(fault.class);
            report.headline = fault.class.headline();
        }
        None => {
            report.class = None;
            report.headline = without_faults;
            if without_faults.weakness() <= Headline::Intact.weakness() && !report.faults.is_empty() {
                report.headline = Headline::Intact;
                report.class = Some(Class::StatusNotVerified);
            }
        }
    }
}

/// Ends the report of a timeline, a commitment or a workflow: which checks failed, and whether its members are there.
pub(super) fn close(report: &mut Report) {
    report.mark_faults();
    report.shape = if report.check(Layer::Members) == Check::Failed { Shape::Faulty } else { Shape::Complete };
}
