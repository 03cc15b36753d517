//! Where the one window stands: there is never more than one, and no wish for it is lost while it comes or goes.

/// Where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// There is none.
    Gone,
    /// It is being opened.
    Coming,
    /// It is there, seen or not.
    There,
    /// It is on its way out. Whether somebody has wished for it since.
    Leaving { wished: bool },
}

impl Stage {
    /// Somebody wishes for it. Returns where it stood: one that is gone has to be opened now. One that is there, but does not
    /// `exist`, was taken away by the system.
    pub(super) fn wished(&mut self, exists: bool) -> Self {
        let before = if *self == Self::There && !exists { Self::Gone } else { *self };
        *self = match before {
            Self::Gone => Self::Coming,
            Self::Leaving { .. } => Self::Leaving { wished: true },
            Self::Coming | Self::There => before,
        };
        before
    }

    /// It is to go. Whether it can: one that comes or goes already is left alone.
    pub(super) fn leaves(&mut self) -> bool {
        let leaves = *self == Self::There;
        if leaves {
            *self = Self::Leaving { wished: false };
        }
        leaves
    }

    /// Whether somebody has wished for it since it was to go.
    pub(super) fn is_wished(self) -> bool {
        self == Self::Leaving { wished: true }
    }

    /// It stays after all. Whether it is to be seen again.
    pub(super) fn stays(&mut self) -> bool {
        let wished = self.is_wished();
        *self = Self::There;
        wished
    }

    /// It is gone, by us or by the system. Whether another one has to be opened now.
    pub(super) fn goes(&mut self) -> bool {
        let wished = self.is_wished();
        if wished {
            *self = Self::Coming;
        } else if *self != Self::Coming {
            *self = Self::Gone;
        }
        wished
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_while_it_goes_brings_another_one() {
        let mut stage = Stage::There;
        assert!(stage.leaves());
        assert!(!stage.leaves(), "it is on its way");
        assert_eq!(stage.wished(true), Stage::Leaving { wished: false });
        assert!(stage.goes(), "another one is opened");
        assert_eq!(stage, Stage::Coming);
        assert_eq!(stage.wished(false), Stage::Coming, "one is enough");
        assert!(!stage.leaves(), "what comes is not there yet");
    }

    #[test]
    fn one_that_could_not_go_is_seen_again_where_somebody_wished_for_it() {
        for wished in [true, false] {
            let mut stage = Stage::There;
            assert!(stage.leaves());
            if wished {
                stage.wished(true);
            }
            assert_eq!((stage.is_wished(), stage.stays(), stage), (wished, wished, Stage::There));
        }
    }

    #[test]
    fn one_that_is_gone_is_opened_once() {
        let mut stage = Stage::There;
        assert!(!stage.goes(), "the system took it, and nobody asks for another");
        assert_eq!([stage.wished(false), stage.wished(false)], [Stage::Gone, Stage::Coming]);
        let mut stage = Stage::There;
        assert_eq!(stage.wished(false), Stage::Gone, "it was taken away, which is not known yet");
        assert!(!stage.goes(), "the next one comes");
        assert_eq!(stage, Stage::Coming);
    }
}
