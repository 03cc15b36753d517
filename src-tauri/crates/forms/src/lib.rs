//! Elicitation and tool schemas become a FormSpec, and answers are validated against it. Pure.
