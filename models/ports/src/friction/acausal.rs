//! Friction without inertias, for equations around it that give acceleration or torque.

use fmu_runtime::{Acausal, AcausalModel, Context, ModelError, Scalar};
use mechanics::friction::{FrictionLaw, Mode};

use super::{FrictionComponent, FrictionEquations};

/// Names of the parameters that only friction between two given motions has.
const ELASTIC: [&str; 2] = ["c_stuck", "d_stuck"];

impl<T: Scalar, C: FrictionComponent<T>> Acausal<T> for FrictionEquations<C> {
    /// Numbers of arguments and results: w_rel and f_normalized; ca, cb, ta, tb, tau0, tau0_max, and the normal force
    /// times geometry.
    const LAW: [usize; 2] = [2, 7];

    fn acausal_model(structure: &C::Structure) -> AcausalModel {
        let word = if C::options(structure).heat_port { "true" } else { "false" };
        let friction = include_str!("friction.mo").replace("{useHeatPort}", word);
        let of_inertias = C::INERTIAS.iter().flat_map(|names| [names.J.0, names.phi_start.0, names.w_start.0]);
        AcausalModel {
            text: C::flanges(structure) + &friction,
            without: of_inertias.chain(ELASTIC).map(str::to_owned).collect(),
        }
    }

    /// Evaluates the law; the branch is a number of [`Mode`].
    fn law(
        &self,
        cx: &Context<'_, T, Self>,
        branch: i32,
        arguments: &[T],
        results: &mut [T],
    ) -> Result<(), ModelError> {
        let (friction, _) = self.0.parts();
        let law = FrictionLaw { coefficient: cx.data, parameters: friction.parameters(&|x| x) };
        let n = friction.cgeo(C::options(cx.structure)) * friction.fn_max * arguments[1];
        let line = law.line(Mode::from_number(branch), arguments[0], n, cx.time_derivative());
        results.copy_from_slice(&[line.ca, line.cb, line.ta, line.tb, law.tau0(n), law.tau0_max(n), n]);
        Ok(())
    }
}
