//! A selected line that stays on the screen.

/// A screen that is a list of its own: which line is selected, which is the first one shown, how many fit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scroll {
    /// The selected line.
    pub at: usize,
    /// The first line shown.
    pub top: usize,
    /// Lines that fit, as last drawn.
    pub height: usize,
}

impl Scroll {
    /// Brings the selected line into view; `len` lines, `height` of them fit.
    pub fn settle(&mut self, len: usize, height: usize) {
        self.height = height;
        self.at = self.at.min(len.saturating_sub(1));
        if self.at < self.top {
            self.top = self.at;
        }
        if self.at >= self.top.saturating_add(height) {
            self.top = self.at.saturating_add(1).saturating_sub(height);
        }
        self.top = self.top.min(len.saturating_sub(height));
    }
}
