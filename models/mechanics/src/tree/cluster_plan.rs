//! Which coordinates of a tree are eliminated together.

use std::collections::BTreeMap;

use crate::disjoint_sets::DisjointSets;

/// The clusters of a tree.
pub(super) struct ClusterPlan {
    pub clusters: Vec<PlannedCluster>,
    /// For each link, the number of the cluster that is open there.
    pub open: Vec<Option<usize>>,
}

/// The coordinates of a cluster.
pub(super) struct PlannedCluster {
    /// Numbers of the coordinates, in rising order.
    pub coordinates: Vec<usize>,
    pub extent: Extent,
}

/// The links of a cluster.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    /// The last link that has all of its joints behind it or at it, none for the world.
    pub last: Option<usize>,
    /// True if one of them is at this link.
    pub is_own: bool,
}

impl ClusterPlan {
    /// Finds the clusters of this number of coordinates, of which at most one is open at each link. `parents` are those of the
    /// links, `moved` links with a coordinate that moves a joint or a rotor there, `tied` sets of coordinates that belong
    /// together. Returns nothing if a coordinate in a cluster moves no joint.
    // Without a copy in this crate, whose tables for unwinding are in the library of each component.
    #[inline]
    pub fn new(count: usize, parents: &[Option<usize>], moved: &[(usize, usize)], tied: &[Vec<usize>]) -> Option<Self> {
        let mut joints = vec![0; count];
        moved.iter().for_each(|(_, k)| joints[*k] += 1);
        let mut is_tied: Vec<_> = joints.iter().map(|joints| *joints > 1).collect();
        let mut sets = DisjointSets::new(count);
        for set in tied {
            for k in set {
                is_tied[*k] = true;
                sets.join(set[0], *k);
            }
        }
        if (0..count).any(|k| is_tied[k] && joints[k] == 0) {
            return None;
        }
        let moved: Vec<_> = moved.iter().filter(|(_, k)| is_tied[*k]).copied().collect();
        let (extents, open) = loop {
            let extents = extents(parents, &moved, &mut sets);
            let mut open: Vec<Option<usize>> = vec![None; parents.len()];
            let mut is_joined = false;
            for (link, k) in &moved {
                let set = sets.of(*k);
                let Some(Extent { last, is_own }) = extents.get(&set) else { continue };
                let mut link = Some(*link);
                while let Some(k) = link.filter(|_| link != *last || *is_own) {
                    match open[k] {
                        Some(other) if sets.of(other) == sets.of(set) => {}
                        Some(other) => {
                            sets.join(other, set);
                            is_joined = true;
                        }
                        None => open[k] = Some(set),
                    }
                    link = if link == *last { None } else { parents[k] };
                }
            }
            if !is_joined {
                break (extents, open);
            }
        };
        let numbers: BTreeMap<usize, usize> = extents.keys().copied().zip(0..).collect();
        let mut clusters: Vec<_> =
            extents.values().map(|extent| PlannedCluster { coordinates: Vec::new(), extent: *extent }).collect();
        (0..count).filter(|k| is_tied[*k]).for_each(|k| clusters[numbers[&sets.of(k)]].coordinates.push(k));
        Some(Self { clusters, open: open.into_iter().map(|set| Some(numbers[&set?])).collect() })
    }
}

/// Returns the extents of all sets of coordinates.
#[inline]
fn extents(parents: &[Option<usize>], moved: &[(usize, usize)], sets: &mut DisjointSets) -> BTreeMap<usize, Extent> {
    let mut extents = BTreeMap::new();
    for (link, k) in moved {
        let link = Some(*link);
        let Extent { last, is_own } = extents.entry(sets.of(*k)).or_insert(Extent { last: link, is_own: true });
        let before = *last;
        let mut other = link;
        // A parent is before its links.
        while *last != other {
            let later = if *last > other { &mut *last } else { &mut other };
            *later = later.and_then(|k| parents[k]);
        }
        *is_own = *last == link || *is_own && *last == before;
    }
    extents
}
