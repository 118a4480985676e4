//! A small generator of numbers: the same seed gives the same numbers everywhere. Not for secrets.

/// xoshiro256**, its state filled by splitmix64.
#[derive(Clone, Debug)]
pub struct Random {
    state: [u64; 4],
}

impl Random {
    /// A generator for this seed.
    pub fn new(seed: u64) -> Random {
        let mut x = seed;
        let state = [(); 4].map(|()| {
            x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = x;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        });
        Random { state }
    }

    /// Sixty-four bits.
    pub fn bits(&mut self) -> u64 {
        let [s0, s1, s2, s3] = self.state;
        let result = s1.wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let (t2, t3) = (s2 ^ s0, s3 ^ s1);
        self.state = [s0 ^ t3, s1 ^ t2, t2 ^ (s1 << 17), t3.rotate_left(45)];
        result
    }

    /// A number below `end`; 0 when `end` is 0. (The bias is below 2^-32 for the sizes used here.)
    pub fn below(&mut self, end: u64) -> u64 {
        let wide = u128::from(self.bits()) * u128::from(end);
        u64::try_from(wide >> 64).unwrap_or(0)
    }

    /// A number from 0 to below 1.
    pub fn unit(&mut self) -> f64 {
        // 53 bits are what a double holds exactly.
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A draw from the standard normal distribution (Box and Muller's method, one of the pair).
    pub fn normal(&mut self) -> f64 {
        let u = 1.0 - self.unit();
        let v = self.unit();
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// One of these; the empty text when there is none.
    pub fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        let at = usize::try_from(self.below(from.len() as u64)).unwrap_or(0);
        from.get(at).copied().unwrap_or_default()
    }

    /// A version 4 UUID.
    pub fn uuid(&mut self) -> String {
        let (high, low) = (self.bits(), self.bits());
        let bits = (u128::from(high) << 64) | u128::from(low);
        uuid::Builder::from_random_bytes(bits.to_be_bytes()).into_uuid().hyphenated().to_string()
    }

    /// Puts items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let j = usize::try_from(self.below(i as u64 + 1)).unwrap_or(0);
            items.swap(i, j);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aer1::grammar;

    #[test]
    fn the_same_seed_gives_the_same_numbers() {
        let draw = |seed| {
            let mut r = Random::new(seed);
            (0..4).map(|_| r.bits()).collect::<Vec<_>>()
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
        // The published test values of xoshiro256** with this seeding: pinned, so that folders stay the same.
        assert_eq!(Random::new(0).bits(), 0x99ec_5f36_cb75_f2b4);
    }

    #[test]
    fn draws_stay_in_range() {
        let mut r = Random::new(1);
        let mut seen = [false; 5];
        for _ in 0..200 {
            seen[usize::try_from(r.below(5)).unwrap()] = true;
            assert!((0.0..1.0).contains(&r.unit()));
        }
        assert_eq!(seen, [true; 5]);
        assert_eq!(r.below(0), 0);
        let mean = (0..4000).map(|_| r.normal()).sum::<f64>() / 4000.0;
        assert!(mean.abs() < 0.1, "{mean}");
        let id = r.uuid();
        assert!(grammar::is_version_4(&id), "{id}");
    }
}
