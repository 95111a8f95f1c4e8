//! The part of `Component` that all assemblies share.

/// Implements `Component` for a model with the structure options `Structure`; the icon is next to its sources.
/// `NAMES` are its name in messages and that of axis 1 of its universal joint, if it has one.
#[macro_export]
macro_rules! component {
    ($Name:ident, $axis1:literal, $description:literal) => {
        const NAMES: $crate::Names<'static> = $crate::Names { assembly: stringify!($Name), axis1: $axis1 };

        impl ::fmu_runtime::Component for $Name<f64> {
            const INFO: ::fmu_runtime::Info = ::fmu_runtime::Info {
                name: stringify!($Name),
                description: $description,
                icon: include_str!("../icon.svg"),
                packages: &[(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")), $crate::PACKAGE, $crate::MECHANICS],
                experiment: ::fmu_runtime::DefaultExperiment {
                    start_time: 0.0,
                    stop_time: 10.0,
                    step_size: 1e-3,
                    tolerance: 1e-6,
                },
            };
            type Structure = Structure;
            type Data = ();
            type In<T: ::fmu_runtime::Scalar> = $Name<T>;
        }
    };
}

/// The event indicator of a loop and the memory with which it is followed; `assembly` is that of `self`.
#[macro_export]
macro_rules! follow_loop {
    ($Name:ident, $driven:ident, |$self:ident| $assembly:expr) => {
        impl<T: ::fmu_runtime::Scalar> ::fmu_runtime::Indicators<T> for $Name<T> {
            const COUNT: usize = 1;

            fn indicators(&self, _: &::fmu_runtime::Context<'_, T, Self>, indicators: &mut [T]) {
                let $self = self;
                let assembly = $assembly;
                indicators.fill(self.$driven.track.indicator(&assembly.joint, assembly.length));
            }
        }

        impl<T: ::fmu_runtime::Scalar> ::fmu_runtime::Memory<T> for $Name<T> {
            fn completed_step(
                &mut self,
                _: &::fmu_runtime::Context<'_, T, Self>,
                diagnostics: &mut ::fmu_runtime::Diagnostics,
            ) {
                self.$driven.completed_step(diagnostics);
            }
        }
    };
}

/// The equations of an assembly of two rods and a driven joint: the joint, with the option that counts its turns if it is
/// revolute, the rod whose force is an output of its own if there is one, and the shapes.
#[macro_export]
macro_rules! closed_loop {
    ($Name:ident, $driven:ident $(($turns:ident))?, $($rod:ident,)? |$s:ident| $shapes:expr) => {
        $crate::follow_loop!($Name, $driven, |this| this.rods.assembly());

        impl<T: ::fmu_runtime::Scalar> ::fmu_runtime::Equations<T> for $Name<T> {
            type Data = ();

            fn shapes($s: &Structure) -> Vec<::fmu_runtime::Shape<'static>> {
                $s.assembly.drawn($shapes)
            }

            fn prepare(&self, _: &::fmu_runtime::Source<'_, Structure>) -> Result<(), ::fmu_runtime::ModelError> {
                self.rods.check()
            }

            fn initialise(
                &mut self,
                cx: &::fmu_runtime::Context<'_, T, Self>,
            ) -> Result<(), ::fmu_runtime::ModelError> {
                let assembly = self.rods.assembly();
                let orientation = cx.structure.assembly.orientation;
                self.$driven.begin(&NAMES, &self.frames.outer, orientation, (&assembly.joint, assembly.length))
            }

            fn evaluate(
                &mut self,
                cx: &::fmu_runtime::Context<'_, T, Self>,
            ) -> Result<(), ::fmu_runtime::ModelError> {
                let assembly = self.rods.assembly();
                let solved = self.frames.solve(&NAMES, &cx.structure.assembly.ports(), &assembly, &self.$driven.state())?;
                self.$driven.set_outputs(&solved $(, cx.structure.$turns)?);
                $(self.rods.$rod.set_outputs(&assembly);)?
                Ok(())
            }

            fn linear_form(
                &self,
                cx: &::fmu_runtime::Context<'_, T, Self>,
                indices: &Self,
                jacobian: &mut ::fmu_runtime::Jacobian<'_>,
            ) -> Result<bool, ::fmu_runtime::ModelError> {
                let assembly = (&self.rods.assembly(), self.$driven.positiveBranch);
                let indices = (&indices.frames, indices.$driven.indices());
                self.frames.linear_form(&NAMES, &cx.structure.assembly.ports(), assembly, indices, jacobian)
            }
        }
    };
}
