//! Rings of joints in which nothing can move.

use crate::equations::{Buffers, System};
use crate::real::Real;
use crate::topology::rings::Rings;

impl System<'_, Real> {
    /// Describes a ring in which nothing can move.
    pub fn immobile_ring(&self, rings: &Rings, buffers: &Buffers<Real>) -> Option<String> {
        let tree = self.prepared.tree()?;
        for (i, place) in rings.places.iter().enumerate() {
            let names = self.ring_names(tree, i);
            let Some(block) = place.block else {
                if tree.in_ring(&tree.rings()[i]).next().is_none() {
                    return Some(format!(
                        "frame_a and frame_b of {names} never move with respect to each other, so it holds nothing: put a joint between \
                         them, or leave it out"
                    ));
                }
                return Some(format!(
                    "{names} close a ring whose joints all have given motions: leave one of the motions out"
                ));
            };
            let own = rings.blocks.iter().find(|own| own.block == block)?;
            if own.rank >= buffers.block_size(block) {
                return Some(format!(
                    "{names} close a ring in which nothing can move: put a joint with more freedom in place of one of them, or leave \
                     one out"
                ));
            }
        }
        None
    }
}
