//! The equations that several assemblies share.

/// Implements the event indicator of a loop and the memory with which it is followed; `assembly` is that of `self`.
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

/// Implements the equations of an assembly of two rods and a driven joint: the joint, with the option that counts its
/// turns if it is revolute, the rod whose force is an output of its own if there is one, and the shapes.
#[macro_export]
macro_rules! closed_loop {
    (
        $Name:ident, $description:literal, $driven:ident $(($turns:ident))?, $($rod:ident,)? |$s:ident| $shapes:expr
    ) => {
        $crate::follow_loop!($Name, $driven, |this| this.rods.assembly());

        impl<T: ::fmu_runtime::Scalar> ::fmu_runtime::Equations<T> for $Name<T> {
            const DESCRIPTION: &'static str = $description;
            const ICON: &'static str = include_str!("../icon.svg");
            const EXPERIMENT: ::fmu_runtime::DefaultExperiment = $crate::assembly::EXPERIMENT;
            const PACKAGES: &'static [(&'static str, &'static str)] = $crate::assembly::PACKAGES;
            const HAS_MANY_INPUTS: bool = true;

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
