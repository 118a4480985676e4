//! Which keys mean what now: the table of [`super::keys`], with the operator's own keys in it.

use super::input::Key;
use super::keys::{Action, BINDINGS, Binding, Place};

/// Keys an operator gave to an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Own {
    /// The action.
    pub action: Action,
    /// Its keys, instead of those of the table.
    pub keys: Vec<Key>,
}

/// The keys of every row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keymap(Vec<Vec<Key>>);

impl Default for Keymap {
    fn default() -> Keymap {
        Keymap(BINDINGS.iter().map(|binding| binding.keys.to_vec()).collect())
    }
}

/// Why an operator's keys were not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clash {
    /// This key was given to that action as well.
    Twice(Key, &'static str),
    /// That action would be left without a key by this one.
    Orphan(Key, &'static str),
}

fn meet(a: &Binding, b: &Binding) -> bool {
    a.places & b.places != 0
}

impl Keymap {
    /// The table with these keys in it. A key that is given to one action is taken from the others, where both could
    /// mean something; keys that would leave another action without one are not taken, and stand in the second answer
    /// with their place in `own`.
    pub fn with(own: &[Own]) -> (Keymap, Vec<(usize, Clash)>) {
        let mut left_out = Vec::new();
        loop {
            let used: Vec<(usize, &Own)> =
                own.iter().enumerate().filter(|(n, _)| !left_out.iter().any(|(out, _)| out == n)).collect();
            match Keymap::once(&used) {
                Ok(map) => return (map, left_out),
                // Each round leaves out one more, so this ends.
                Err(clash) => left_out.push(clash),
            }
        }
    }

    fn once(own: &[(usize, &Own)]) -> Result<Keymap, (usize, Clash)> {
        let mut map = Keymap::default();
        let binding_of = |one: &Own| BINDINGS.iter().find(|binding| binding.action == one.action);
        for (at, (n, one)) in own.iter().enumerate() {
            let Some(binding) = binding_of(one) else { continue };
            for (_, other) in own.iter().take(at) {
                let Some(theirs) = binding_of(other).filter(|theirs| meet(binding, theirs)) else { continue };
                if let Some(key) = one.keys.iter().find(|key| other.keys.contains(key)) {
                    return Err((*n, Clash::Twice(*key, theirs.name)));
                }
            }
        }
        for (row, keys) in BINDINGS.iter().zip(&mut map.0) {
            if let Some((_, one)) = own.iter().find(|(_, one)| one.action == row.action) {
                keys.clone_from(&one.keys);
                continue;
            }
            for (n, one) in own {
                if !binding_of(one).is_some_and(|binding| meet(binding, row)) {
                    continue;
                }
                let lost = keys.iter().copied().find(|key| one.keys.contains(key));
                keys.retain(|key| !one.keys.contains(key));
                if let (Some(key), true) = (lost, keys.is_empty()) {
                    return Err((*n, Clash::Orphan(key, row.name)));
                }
            }
        }
        Ok(map)
    }

    /// The keys of an action, the one to show first.
    pub fn of(&self, action: Action) -> &[Key] {
        let row = BINDINGS.iter().position(|binding| binding.action == action);
        row.and_then(|row| self.0.get(row)).map(Vec::as_slice).unwrap_or_default()
    }

    /// What a key means at a place.
    pub fn find(&self, place: Place, key: Key) -> Option<Action> {
        let mut rows = BINDINGS.iter().zip(&self.0);
        rows.find(|(binding, keys)| binding.holds_at(place) && keys.contains(&key)).map(|(binding, _)| binding.action)
    }

    /// The keys of an action as text.
    pub fn text(&self, action: Action) -> String {
        self.of(action).iter().map(Key::name).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(action: Action, keys: &str) -> Own {
        Own { action, keys: keys.chars().map(Key::ch).collect() }
    }

    #[test]
    fn without_own_keys_the_table_is_what_it_is() {
        let (map, out) = Keymap::with(&[]);
        assert_eq!((map.clone(), out.len()), (Keymap::default(), 0));
        assert_eq!(map.find(Place::List, Key::ch('j')), Some(Action::Down));
    }

    #[test]
    fn a_given_key_is_taken_from_the_others_and_two_can_be_swapped() {
        let (map, out) = Keymap::with(&[own(Action::Sort, "w"), own(Action::Wrap, "s"), own(Action::Down, "e")]);
        // `e` was the editor's only key.
        assert_eq!(out, [(2, Clash::Orphan(Key::ch('e'), "editor"))]);
        assert_eq!(map.find(Place::List, Key::ch('w')), Some(Action::Sort));
        assert_eq!(map.find(Place::List, Key::ch('s')), Some(Action::Wrap));
        assert_eq!(map.find(Place::List, Key::ch('j')), Some(Action::Down));
        let (map, out) = Keymap::with(&[own(Action::Down, "k")]);
        assert_eq!(out, []);
        assert_eq!(map.find(Place::List, Key::ch('k')), Some(Action::Down));
        assert_eq!(map.find(Place::List, Key::ch('j')), None);
        assert_eq!(map.text(Action::Up), "↑");
    }

    #[test]
    fn one_key_given_twice_stays_with_the_first() {
        let (map, out) = Keymap::with(&[own(Action::Down, "t"), own(Action::Up, "t")]);
        assert_eq!(out, [(1, Clash::Twice(Key::ch('t'), "down"))]);
        assert_eq!(map.find(Place::List, Key::ch('t')), Some(Action::Down));
        assert_eq!(map.find(Place::List, Key::ch('k')), Some(Action::Up));
    }
}
