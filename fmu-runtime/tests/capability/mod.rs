// A component that names some capabilities and implements some: `component!([Events], [Events Memory]);`. The examples
// in `src/component/capabilities.rs` include this file.

#[allow(unused_imports)]
use fmu_runtime::{
    Acausal, AcausalModel, Context, Diagnostics, Equations, Event, Events, Indicators,
    Inputs, Memory, ModelError, Scalar, Steps, model,
};

macro_rules! component {
    ([$($first:ident $($more:ident)*)?], [$($implemented:ident)*]) => {
        model! {
            /// y = u
            pub struct Wire<T> $(: $first $(+ $more)*)? {
                input u: T = 1.0, ONE, "Argument";
                output y: T, ONE, "Result";
            }
        }
        $(implement!($implemented);)*
    };
}

macro_rules! implement {
    (Events) => {
        impl<T: Scalar> Events<T> for Wire<T> {
            fn event(&mut self, _: &Context<'_, T, Self>, _: &mut Event) -> Result<(), ModelError> {
                Ok(())
            }
        }
    };
    (Indicators) => {
        impl<T: Scalar> Indicators<T> for Wire<T> {
            const COUNT: usize = 0;
            fn indicators(&self, _: &Context<'_, T, Self>, _: &mut [T]) {}
        }
    };
    (Steps) => {
        impl<T: Scalar> Steps<T> for Wire<T> {
            fn advance(&mut self, _: &Context<'_, T, Self>, _: &Inputs<'_, Self>, _: f64) -> Result<(), ModelError> {
                Ok(())
            }
            fn advance_to_event(
                &mut self,
                _: &Context<'_, T, Self>,
                _: &Inputs<'_, Self>,
                _: f64,
            ) -> Result<Option<f64>, ModelError> {
                Ok(None)
            }
        }
    };
    // Implements steps that do not stop at events.
    (Silent) => {
        impl<T: Scalar> Steps<T> for Wire<T> {
            fn advance(&mut self, _: &Context<'_, T, Self>, _: &Inputs<'_, Self>, _: f64) -> Result<(), ModelError> {
                Ok(())
            }
        }
    };
    (Memory) => {
        impl<T: Scalar> Memory<T> for Wire<T> {
            fn completed_step(&mut self, _: &Context<'_, T, Self>, _: &mut Diagnostics) {}
        }
    };
    (Acausal) => {
        impl<T: Scalar> Acausal<T> for Wire<T> {
            const LAW: [usize; 2] = [0, 0];
            fn acausal_model(_: &()) -> AcausalModel {
                AcausalModel::default()
            }
            fn law(&self, _: &Context<'_, T, Self>, _: i32, _: &[T], _: &mut [T]) -> Result<(), ModelError> {
                Ok(())
            }
        }
    };
}

impl<T: Scalar> Equations<T> for Wire<T> {
    fn evaluate(&mut self, _: &Context<'_, T, Self>) -> Result<(), ModelError> {
        self.y = self.u;
        Ok(())
    }
}
