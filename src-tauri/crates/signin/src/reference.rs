//! References to secrets as a person writes them.

use signalbox_model::Secret;

/// Reads `env:VARIABLE` or `@FILE`; any other text is no reference but a literal value, and gives none.
///
/// A relative file is kept as written: the reader runs elsewhere, so hosts make the path absolute before they keep it.
#[must_use]
pub fn parse_reference(text: &str) -> Option<Secret> {
    if let Some(var) = text.strip_prefix("env:") {
        let usable = !var.is_empty() && !var.contains(['=', '\0']);
        return usable.then(|| Secret::Env { var: var.to_owned() });
    }
    let path = text.strip_prefix('@').filter(|path| !path.is_empty() && !path.contains('\0'))?;
    Some(Secret::File { path: path.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_and_literals_are_told_apart() {
        assert_eq!(parse_reference("env:TOKEN"), Some(Secret::Env { var: "TOKEN".into() }));
        assert_eq!(parse_reference("@/run/token"), Some(Secret::File { path: "/run/token".into() }));
        for literal in ["", "Bearer abc", "env:", "@", "env:A=B", "ENV:TOKEN", " env:TOKEN", "a@b"] {
            assert_eq!(parse_reference(literal), None, "{literal:?} is a value, not a reference");
        }
    }
}
