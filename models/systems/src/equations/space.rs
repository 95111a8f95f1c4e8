//! Terms of mechanisms in space in the equations of motion.
//!
//! ```text
//! tau_tree = M_tree(q) q'' + h(q, q')      loads at the joints' positions, with those of springs in space, see mechanics::tree
//! s = s(q),   s' = S q',   s'' = S q'' + sigma      coordinates of assemblies, where the axes are
//! ```
//!
//! h, with the accelerations of given coordinates, is among the loads of the train; M_tree is part of its M, or
//! solved by articulated bodies. For the train the coordinates of assemblies are given ones that follow from those of the joints.

use fmu_runtime::{Diagnostics, ModelError, Number};
use mechanics::assembly::Singular;
use mechanics::constant;
use mechanics::drivetrain::Factors;
use mechanics::motion::Coordinate;
use mechanics::tree::{PositionError, Tree, Workspace};
use nalgebra::Vector3;
use ports::assembly::Names;

use crate::MULTIBODY;
use crate::equations::{Buffers, System};
use crate::part::{Arrays, Pose, Space, View};
use crate::topology::drivetrain::PartScalar;
use crate::topology::mechanism::SpaceBuffers;
use crate::topology::wiring::NamedPart;

impl<T: PartScalar> System<'_, T> {
    /// Sets positions and velocities, also in space.
    pub fn move_to(&self, view: View<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        self.read_motion(view, buffers)?;
        if let (Some(tree), Some(SpaceBuffers { workspace, .. })) = (self.prepared.tree(), &mut buffers.space) {
            self.pose(view, tree, workspace)?;
            self.close_rings(buffers)?;
        }
        let Buffers { x: [x, v, a], q: [_, _, qdd], space, .. } = &mut *buffers;
        let (Some(tree), Some(SpaceBuffers { workspace, .. })) = (self.prepared.tree(), space) else { return Ok(()) };
        let train = &self.prepared.train;
        qdd[..train.free()].fill(T::zero());
        train.rates(qdd, a);
        tree.set_assembly_branches(workspace, |i| {
            let (part, _) = self.prepared.assemblies[i];
            T::of(&*self.parts[part].part).assembly_branch(view, self.wiring.offsets[part])
        });
        tree.set_motion(workspace, [x, v, a]).map_err(|reason| self.position_error(reason))?;
        self.follow(buffers, [true, true, false]);
        if !(self.prepared.massless.is_empty() || self.prepared.assemblies.is_empty()) {
            // Springs may lead to the axis of an assembly.
            self.read_states_of_massless(view, buffers);
            self.place_massless(view, buffers)?;
            let Buffers { x: [x, v, _], q: [q, qd, _], .. } = buffers;
            train.positions(q, x);
            train.rates(qd, v);
        }
        if MULTIBODY && !self.wiring.linked_points.is_empty() {
            self.place_points(view, buffers)?;
        }
        Ok(())
    }

    /// Sets positions and velocities, and computes in space M or articulated bodies, and the loads that joints need
    /// without the accelerations of free coordinates.
    pub fn forward_kinematics(&self, view: View<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        self.move_to(view, buffers)?;
        let Buffers { x: [x, ..], factors, space, .. } = &mut *buffers;
        let (Some(tree), Some(SpaceBuffers { workspace, bias, .. })) = (self.prepared.tree(), space) else {
            return Ok(());
        };
        let train = &self.prepared.train;
        workspace.clear_cuts();
        self.wiring.acting.iter().try_for_each(|i| self.add_frame_loads(*i, view, tree, workspace))?;
        bias.fill(T::zero());
        tree.set_drives(workspace, |_| T::zero());
        if let Some(world) = self.wiring.gravity {
            let g = T::of(&*self.parts[world].part).gravity(view, self.wiring.offsets[world]);
            g.into_iter().for_each(|g| tree.set_gravity(workspace, g));
        }
        self.joint_loads(tree, workspace, bias, false)?;
        let is_articulated = factors.solver().is_some();
        if is_articulated {
            train.begin(factors);
            tree.resolve(workspace);
            self.follow_assemblies(workspace, factors);
        } else {
            self.find_masses(tree, workspace, factors);
        }
        if self.has_rings() {
            self.tie_rings(tree, workspace, factors);
        }
        if is_articulated {
            train.couple_following(factors);
            let prepared = factors.solver().map_or(Ok(()), |bodies| bodies.prepare(workspace));
            prepared.map_err(|coordinate| self.no_mass_of(coordinate, buffers))?;
        } else {
            train.finish(factors).map_err(|(coordinate, against)| self.no_mass(tree, coordinate, &against, x))?;
        }
        self.prepared.find_mobility(buffers);
        Ok(())
    }

    /// Adds the loads on a part that acts on frames.
    pub fn add_frame_loads(
        &self,
        i: usize,
        view: View<'_, T>,
        tree: &Tree<T>,
        workspace: &mut Workspace<T>,
    ) -> Result<(), ModelError> {
        let named = &self.parts[i];
        let frames = &self.wiring.frames[i];
        let cuts = T::of(&*named.part).cut_loads(view, self.wiring.offsets[i], &self.space_of(i, tree, workspace));
        let cuts = cuts.map_err(|reason| {
            ModelError::singular(format!("\"{}\": {reason}, at {} s", named.name, Number(self.time.value())))
        })?;
        frames.iter().zip(&cuts).for_each(|(frame, load)| tree.add_cut(workspace, *frame, load));
        Ok(())
    }

    /// Returns the contributions to the loads that joints need without the accelerations of free coordinates: of each
    /// part that acts on frames, and of the links alone. They may balance each other.
    pub fn biases(&self, view: View<'_, T>, space: &mut Option<SpaceBuffers<T>>) -> Result<Vec<Vec<T>>, ModelError> {
        let (Some(tree), Some(SpaceBuffers { workspace, bias, .. })) = (self.prepared.tree(), space) else {
            return Ok(Vec::new());
        };
        let loads = |workspace: &mut Workspace<T>, mut loads: Vec<T>| {
            self.joint_loads(tree, workspace, &mut loads, false)?;
            Ok(loads)
        };
        workspace.clear_cuts();
        let alone = loads(workspace, vec![T::zero(); bias.len()])?;
        let mut all = Vec::new();
        for i in &self.wiring.acting {
            workspace.clear_cuts();
            self.add_frame_loads(*i, view, tree, workspace)?;
            all.push(loads(workspace, alone.iter().map(|load| -*load).collect())?);
        }
        all.push(alone);
        Ok(all)
    }

    /// Chooses the configuration and axis that assemblies keep from the start on. At a random point they need not fit.
    pub fn begin(
        &self,
        arrays: &mut Arrays<'_, T>,
        buffers: &mut Buffers<T>,
        at_random: bool,
    ) -> Result<(), ModelError> {
        self.read_motion(arrays.view(), buffers)?;
        if let (Some(tree), Some(SpaceBuffers { workspace, .. })) = (self.prepared.tree(), &mut buffers.space) {
            self.pose(arrays.view(), tree, workspace)?;
            self.close_rings(buffers)?;
        }
        let Buffers { x: [x, v, a], space, .. } = buffers;
        let (Some(tree), Some(SpaceBuffers { workspace, .. })) = (self.prepared.tree(), space) else { return Ok(()) };
        // All joints move here, since a joint that does not fit may rest at the start.
        let train = &self.prepared.train;
        let speeds: Vec<_> =
            (1..=train.coordinates().len()).map(|k| constant(1.0 + (0.618_034 * k as f64).fract())).collect();
        train.rates(&speeds, v);
        let chosen = tree.choose(workspace, [x, v, a]);
        let is_closed = |element: &usize| chosen.as_ref().err().is_none_or(|reason| reason.element != *element);
        let closed = tree.assemblies().take_while(is_closed).count();
        for (i, (part, _)) in self.prepared.assemblies.iter().enumerate().take(closed + 1) {
            let (part, offsets, name) = (&*self.parts[*part].part, self.wiring.offsets[*part], &self.parts[*part].name);
            let (assembly_branch, ends) = workspace.chosen(i);
            match T::of(part).invalid_pose(arrays.view(), offsets, ends).filter(|_| !at_random) {
                Some(invalid_pose) => return Err(ModelError::invalid(format!("{name}.{invalid_pose}"))),
                None => T::of(part).begin(arrays, offsets, assembly_branch),
            }
        }
        chosen.map_err(|reason| self.position_error(reason))?;
        self.initialise_parts(arrays, buffers)
    }

    /// Sets the memory that follows from the position of the mechanism.
    fn initialise_parts(&self, arrays: &mut Arrays<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        let mut parts = (0..self.parts.len()).filter(|i| self.parts[*i].part.properties().initialises);
        let Some(first) = parts.next() else { return Ok(()) };
        self.move_to(arrays.view(), buffers)?;
        for i in std::iter::once(first).chain(parts) {
            if let Some(space) = self.space(i, buffers) {
                T::of(&*self.parts[i].part).initialise(arrays, self.wiring.offsets[i], &space)?;
            }
        }
        Ok(())
    }

    /// Updates the memory of parts, at the end of a step.
    pub fn completed_step(&self, arrays: &mut Arrays<'_, T>, diagnostics: &mut Diagnostics) {
        for i in &self.wiring.remembering {
            let (NamedPart { name, part, .. }, offsets) = (&self.parts[*i], self.wiring.offsets[*i]);
            diagnostics.of_part(name, |own| T::of(&**part).completed_step(arrays, offsets, own));
        }
    }

    /// Sets the poses that positions do not determine.
    pub fn pose(&self, view: View<'_, T>, tree: &Tree<T>, workspace: &mut Workspace<T>) -> Result<(), ModelError> {
        let mut without = None;
        tree.set_poses(workspace, |i| {
            let part = self.prepared.posed[i];
            let pose = T::of(&*self.parts[part].part).pose(view, self.wiring.offsets[part]);
            if pose.is_none() {
                without = Some(part);
            }
            pose.unwrap_or(Pose::translation(Vector3::zeros()))
        });
        match without {
            Some(part) => Err(ModelError::singular(format!(
                "{}.Q has length 0 or is not a number: any other quaternion is an orientation",
                self.parts[part].name
            ))),
            None => Ok(()),
        }
    }

    /// Sets positions, velocities or accelerations that follow from the coordinates of assemblies.
    fn follow(&self, buffers: &mut Buffers<T>, orders: [bool; 3]) {
        let Buffers { x, q, space, .. } = buffers;
        let (Some(tree), Some(SpaceBuffers { workspace, .. })) = (self.prepared.tree(), space) else { return };
        let mut is_any = false;
        for (element, (_, coordinate)) in tree.assemblies().zip(&self.prepared.assemblies) {
            let (Some(k), Some((Coordinate { x, v, a }, ..))) = (coordinate, tree.closed(workspace, element)) else {
                continue;
            };
            is_any = true;
            for (order, value) in [x, v, a].into_iter().enumerate().filter(|(order, _)| orders[*order]) {
                q[order][*k] = value;
            }
        }
        if self.has_rings() {
            is_any = true;
            self.follow_rings(tree, workspace, |k, Coordinate { x, v, a }| {
                for (order, value) in [x, v, a].into_iter().enumerate().filter(|(order, _)| orders[*order]) {
                    q[order][k] = value;
                }
            });
        }
        let train = &self.prepared.train;
        for order in (0..3).filter(|order| is_any && orders[*order]) {
            if order == 0 { train.positions(&q[0], &mut x[0]) } else { train.rates(&q[order], &mut x[order]) }
        }
    }

    /// Describes why the mechanism cannot take its position.
    #[cold]
    pub(crate) fn position_error(&self, PositionError { element, singular }: PositionError) -> ModelError {
        let named = &self.parts[self.wiring.elements[element]];
        let time = Number(self.time.value());
        let Some(singular) = singular else {
            return ModelError::singular(format!(
                "\"{}\" has its center of mass in the origin of the world, towards which PointGravity pulls without limit, at \
                 {time} s",
                named.name
            ));
        };
        let (quoted, axis1) = (format!("\"{}\"", named.name), named.part.properties().axis1.unwrap_or_default());
        let names = Names { assembly: &quoted, axis1 };
        let reason = names.error(singular);
        let missing = match singular {
            Singular::Reach { length, nearest, farthest } => (nearest - length).max(length - farthest),
            _ => 0.0,
        };
        // Lengths are shown in whole micrometres: at a dead centre rounding errors remain.
        let missing = (missing * 1e6).round() / 1e6;
        if missing > 0.0 {
            return ModelError::singular(format!("{reason}: {} m are missing, at {time} s", Number(missing)));
        }
        ModelError::singular(format!("{reason}, at {time} s"))
    }

    /// Subtracts the loads that joints need, before accelerations are known, from the loads at the positions.
    pub fn add_bias(&self, tau: &mut [T], space: &Option<SpaceBuffers<T>>) {
        if let Some(SpaceBuffers { bias, .. }) = space {
            tau.iter_mut().zip(bias).for_each(|(tau, bias)| *tau -= *bias);
        }
    }

    /// Sets the accelerations that coordinates of assemblies have while the free coordinates do not accelerate.
    pub fn drift(&self, space: &Option<SpaceBuffers<T>>, qdd: &mut [T]) {
        let (Some(tree), Some(SpaceBuffers { workspace, .. })) = (self.prepared.tree(), space) else { return };
        for (element, (_, coordinate)) in tree.assemblies().zip(&self.prepared.assemblies) {
            let closed = tree.closed(workspace, element);
            coordinate.iter().zip(&closed).for_each(|(k, (Coordinate { a, .. }, ..))| qdd[*k] = *a);
        }
        if self.has_rings() {
            self.follow_rings(tree, workspace, |k, Coordinate { a, .. }| qdd[k] = a);
        }
    }

    /// Computes motions and loads in space once the accelerations are known.
    pub fn move_in_space(&self, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        let Buffers { x: [x, v, a], tau, space, reactions, .. } = &mut *buffers;
        let (Some(tree), Some(SpaceBuffers { workspace, bias })) = (self.prepared.tree(), space) else {
            return Ok(());
        };
        tau.iter_mut().zip(&*bias).for_each(|(tau, bias)| *tau += *bias);
        tree.set_motion(workspace, [x, v, a]).map_err(|reason| self.position_error(reason))?;
        if !self.prepared.assemblies.is_empty() {
            self.prepared.train.reactions(tau, a, reactions);
            let drive = |i: usize| self.prepared.assemblies[i].1.map_or(T::zero(), |k| -reactions[k]);
            tree.set_drives(workspace, drive);
        }
        if self.has_rings() {
            return self.load_rings(buffers);
        }
        self.joint_loads(tree, workspace, tau, true)
    }

    /// Adds the loads that joints need to numbers at the positions, or subtracts them.
    // Not inlined at its two callers, since it is long.
    #[inline(never)]
    pub(super) fn joint_loads(
        &self,
        tree: &Tree<T>,
        workspace: &mut Workspace<T>,
        sums: &mut [T],
        subtracts: bool,
    ) -> Result<(), ModelError> {
        let add = |position: usize, load: T| if subtracts { sums[position] -= load } else { sums[position] += load };
        tree.loads(workspace, add).map_err(|reason| self.position_error(reason))
    }

    /// Computes the blocks of M that change with the motion.
    #[inline(never)]
    pub(super) fn find_masses(&self, tree: &Tree<T>, workspace: &mut Workspace<T>, factors: &mut Factors<T>) {
        let train = &self.prepared.train;
        train.begin(factors);
        tree.masses(workspace, |positions, mass| train.couple(factors, positions, mass));
        self.follow_assemblies(workspace, factors);
    }

    /// Says how the axes of assemblies follow from joints.
    fn follow_assemblies(&self, workspace: &Workspace<T>, factors: &mut Factors<T>) {
        for (i, position, slope) in workspace.slopes() {
            let coordinate = self.prepared.assemblies[*i].1;
            coordinate.into_iter().for_each(|k| self.prepared.train.follow(factors, k, *position, *slope));
        }
    }

    /// Returns the mechanism as seen from a part, if the part is in space.
    pub fn space<'b>(&'b self, i: usize, buffers: &'b Buffers<T>) -> Option<Space<'b, T>> {
        let space = buffers.space.as_ref().filter(|_| self.parts[i].part.properties().is_multibody)?;
        let tree = self.prepared.tree()?;
        Some(self.space_of(i, tree, &space.workspace))
    }

    fn space_of<'b>(&'b self, i: usize, tree: &'b Tree<T>, workspace: &'b Workspace<T>) -> Space<'b, T> {
        let (frames, element) = (&self.wiring.frames[i], self.wiring.first_elements[i]);
        Space { tree, workspace, frames, element, data: &*self.data[i], time: self.time }
    }

    /// Sets the motion of the frames that a viewer needs.
    pub fn show(&self, arrays: &mut Arrays<'_, T>, buffers: &Buffers<T>) {
        let (Some(tree), Some(space)) = (self.prepared.tree(), &buffers.space) else { return };
        for seen in &self.wiring.look.frames {
            seen.set_outputs(&tree.frame(&space.workspace, seen.frame), arrays.reals);
        }
    }
}
