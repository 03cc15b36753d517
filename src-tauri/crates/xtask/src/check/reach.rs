//! Gates: a dependency that only one crate may link. The others may reach it through that crate at most.

use std::collections::{HashMap, HashSet, VecDeque};

use anyhow::{Context, Result};
use cargo_metadata::{DependencyKind, Metadata};

struct Gate {
    dependency: &'static str,
    keeper: &'static str,
    /// Whether not even tests may name it.
    tests_too: bool,
    why: &'static str,
}

const GATES: [Gate; 2] = [
    Gate {
        dependency: "tauri",
        keeper: "signalbox-desktop",
        tests_too: true,
        why: "everything below the window must build and run without it",
    },
    Gate {
        dependency: "rmcp",
        keeper: "signalbox-signin",
        tests_too: false,
        why: "it is used for OAuth only; the wire is our own",
    },
];

/// Every workspace crate that reaches a gated dependency other than through its keeper, with the path.
pub(super) fn broken_gates(metadata: &Metadata) -> Result<Vec<String>> {
    let graph = Graph::new(metadata)?;
    let mut offences = Vec::new();
    for gate in &GATES {
        for member in metadata.workspace_packages() {
            if let Some(path) = graph.path(member.name.as_str(), gate) {
                offences.push(format!("{} (only {} may: {})", path.join(" -> "), gate.keeper, gate.why));
            }
        }
    }
    Ok(offences)
}

/// Who depends on whom by package name. Two versions of a package are one node: a gate means them all.
#[derive(Default)]
struct Graph<'m> {
    edges: HashMap<&'m str, Vec<(&'m str, DependencyKind)>>,
}

impl<'m> Graph<'m> {
    fn new(metadata: &'m Metadata) -> Result<Graph<'m>> {
        let resolve = metadata.resolve.as_ref().context("cargo metadata resolved nothing")?;
        let names: HashMap<_, _> = metadata.packages.iter().map(|p| (&p.id, p.name.as_str())).collect();
        let mut graph = Graph::default();
        for node in &resolve.nodes {
            for dependency in &node.deps {
                for kind in &dependency.dep_kinds {
                    graph.add(names[&node.id], names[&dependency.pkg], kind.kind);
                }
            }
        }
        Ok(graph)
    }

    fn add(&mut self, from: &'m str, to: &'m str, kind: DependencyKind) {
        self.edges.entry(from).or_default().push((to, kind));
    }

    /// The shortest way from a crate to the gated dependency that does not lead through the keeper.
    fn path(&self, member: &'m str, gate: &Gate) -> Option<Vec<&'m str>> {
        if member == gate.keeper {
            return None;
        }
        let mut seen = HashSet::from([member]);
        let mut queue = VecDeque::from([vec![member]]);
        while let Some(path) = queue.pop_front() {
            let last = *path.last()?;
            if last == gate.dependency {
                return Some(path);
            }
            for (next, kind) in self.edges.get(last).into_iter().flatten() {
                // A dependency's own tests are never built by us.
                let counts = *kind != DependencyKind::Development || (path.len() == 1 && gate.tests_too);
                if counts && *next != gate.keeper && seen.insert(next) {
                    queue.push_back([path.as_slice(), &[*next]].concat());
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use DependencyKind::{Build, Development, Normal};

    use super::*;

    const STRICT: Gate = Gate { dependency: "tauri", keeper: "shell", tests_too: true, why: "" };
    const LENIENT: Gate = Gate { tests_too: false, ..STRICT };

    fn graph(edges: &[(&'static str, &'static str, DependencyKind)]) -> Graph<'static> {
        let mut graph = Graph::default();
        for (from, to, kind) in edges {
            graph.add(from, to, *kind);
        }
        graph
    }

    #[test]
    fn reaches_through_others_and_build_scripts() {
        let graph = graph(&[
            ("engine", "plugin", Normal),
            ("plugin", "codegen", Build),
            ("codegen", "tauri", Normal),
        ]);
        assert_eq!(graph.path("engine", &STRICT), Some(vec!["engine", "plugin", "codegen", "tauri"]));
        assert_eq!(graph.path("model", &STRICT), None, "a crate without dependencies reaches nothing");
    }

    #[test]
    fn the_keeper_may_and_so_may_those_behind_it() {
        let graph = graph(&[("shell", "tauri", Normal), ("api", "shell", Normal)]);
        assert_eq!(graph.path("shell", &STRICT), None);
        assert_eq!(graph.path("api", &STRICT), None, "the only way leads through the keeper");
    }

    #[test]
    fn tests_count_where_the_gate_says_so_and_only_our_own() {
        let own = graph(&[("tests", "tauri", Development)]);
        assert!(own.path("tests", &STRICT).is_some());
        assert!(own.path("tests", &LENIENT).is_none());
        let others = graph(&[("tests", "window-vibes", Normal), ("window-vibes", "tauri", Development)]);
        assert!(others.path("tests", &STRICT).is_none(), "a dependency's tests are not built");
    }

    #[test]
    fn a_cycle_of_tests_ends() {
        let graph = graph(&[("a", "b", Normal), ("b", "a", Development), ("b", "a", Normal)]);
        assert_eq!(graph.path("a", &STRICT), None);
    }
}
