//! Steps of the elements parallel to the springs along the path of the deflections.

use fmu_runtime::{Context, Inputs, ModelError, Scalar, Steps};
use mechanics::viscoelastic::{COORDINATES, follow};
use nalgebra::Vector3;

use crate::viscoelastic::deflections;
use crate::{Bushing, Structure};

/// Differences of deflections below this, relative to positions in m and angles in rad, are rounding.
const ROUNDING: f64 = 1e-15;

impl<T: Scalar> Steps<T> for Bushing<T> {
    const RARELY_STEPS: bool = true;

    fn has_steps(s: &Structure) -> bool {
        (s.maxwell_T.0 | s.maxwell_R.0) != 0 || s.friction_T | s.friction_R
    }

    fn begin_steps(&mut self, _cx: &Context<'_, T, Self>) {
        if let Some(rubber) = &mut self.rubber {
            rubber.steps = T::one();
        }
    }

    /// Moves the inner points of the elements parallel to the springs.
    fn advance(&mut self, cx: &Context<'_, T, Self>, inputs: &Inputs<'_, Self>, h: f64) -> Result<(), ModelError> {
        let options = cx.structure.rubber();
        let values = |deflections: [Vector3<T>; 2]| deflections.map(|vector| vector.map(T::value));
        let begin = values(self.deflections(cx)?);
        let largest = |r: &Vector3<T>| r.map(T::value).amax();
        let rounding = ROUNDING * (1.0 + largest(&self.frame_a.motion.r_0).max(largest(&self.frame_b.motion.r_0)));
        let Some(rubber) = &mut self.rubber else { return Ok(()) };
        rubber.jump(options, begin);
        let order = inputs.order() as usize;
        if order == 0 {
            rubber.wait(options, begin, h);
            return Ok(());
        }
        let mut sample = |s| {
            let [translation, rotation] = values(inputs.at(s).deflections(cx)?);
            let mut all = [0.0; COORDINATES];
            all[..3].copy_from_slice(translation.as_slice());
            all[3..].copy_from_slice(rotation.as_slice());
            Ok(all)
        };
        follow(h, order, rounding, &mut sample, &mut |part, paths| rubber.follow(options, part, paths))
    }
}

impl<T: Scalar> Bushing<T> {
    /// The deflections of the springs, of translation and of rotation.
    fn deflections(&self, cx: &Context<'_, T, Self>) -> Result<[Vector3<T>; 2], ModelError> {
        let frames = [self.frame_a.motion.clone(), self.frame_b.motion.clone()];
        let options = (cx.structure.orientation, cx.data.sequence);
        deflections(options, frames, [self.r0, self.theta0], self.memory.theta1)
    }
}
