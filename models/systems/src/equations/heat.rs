//! Temperatures and heat flows.
//!
//! ```text
//! C T' = sum Q                 nodes with a heat capacity, of the flows into them                [W]
//! 0 = sum Q                    nodes without: linear equations for their temperatures
//! Q = G (T_a - T_b)            what lets heat through
//! ```

use fmu_runtime::{ModelError, Scalar};
use nalgebra::{Cholesky, DMatrix, DVector};

use super::System;
use crate::part::Arrays;
use crate::topology::drivetrain::PartScalar;
use crate::topology::heat::{Heat, HeatFlow, HeatLink};

/// Temperatures of the nodes, flows into them, and the equations of those without a heat capacity.
#[derive(Clone, Debug)]
pub struct HeatBuffers<T: Scalar> {
    temperatures: Vec<T>,
    flows: Vec<T>,
    capacities: Vec<T>,
    matrix: DMatrix<T>,
    right: DVector<T>,
    /// True if values are random ones, which need not have a solution.
    at_random: bool,
}

impl<T: Scalar> HeatBuffers<T> {
    /// Allocates them.
    pub fn new(heat: &Heat, at_random: bool) -> Self {
        let zeros = || vec![T::zero(); heat.nodes.len()];
        Self {
            temperatures: zeros(),
            flows: zeros(),
            capacities: zeros(),
            matrix: DMatrix::zeros(heat.unknown, heat.unknown),
            right: DVector::zeros(heat.unknown),
            at_random,
        }
    }
}

impl HeatLink {
    fn conductance<T: Scalar>(&self, reals: &[T]) -> T {
        let value = reals[self.value];
        if self.is_inverse { T::one() / value } else { value }
    }
}

impl HeatFlow {
    /// Flow into the node at a temperature of 0, and its slope.
    fn line<T: Scalar>(&self, reals: &[T]) -> [T; 2] {
        let [q, alpha, t_ref] = self.values.map(|place| reals[place]);
        [q * (T::one() - alpha * t_ref), q * alpha]
    }
}

impl<T: PartScalar> System<'_, T> {
    /// Gives parts the temperatures at their heat ports that are known before the motion.
    pub fn distribute_temperatures(&self, arrays: &mut Arrays<'_, T>) {
        for node in &self.wiring.heat.nodes {
            if let Some(known) = node.known {
                node.copies.iter().for_each(|place| arrays.reals[*place] = arrays.reals[known]);
            }
        }
    }

    /// Computes the heat flows and the derivatives of temperatures, where the losses of parts are known.
    ///
    /// # Errors
    ///
    /// Reports a temperature that follows from nothing.
    pub fn balance_heat(&self, arrays: &mut Arrays<'_, T>, buffers: &mut HeatBuffers<T>) -> Result<(), ModelError> {
        let heat = &self.wiring.heat;
        if heat.nodes.is_empty() {
            return Ok(());
        }
        self.find_temperatures(arrays.reals, buffers)?;
        let HeatBuffers { temperatures, flows, capacities, .. } = buffers;
        let reals = &mut *arrays.reals;
        flows.fill(T::zero());
        for flow in &heat.flows {
            let [constant, slope] = flow.line(reals);
            let q = constant + slope * temperatures[flow.node];
            reals[flow.output] = -q;
            flows[flow.node] += q;
        }
        heat.losses.iter().for_each(|(node, place)| flows[*node] -= reals[*place]);
        for link in &heat.links {
            let [from, to] = link.between;
            let difference = temperatures[from] - temperatures[to];
            let q = link.conductance(reals) * difference;
            link.outputs.iter().zip([difference, q]).for_each(|(place, value)| reals[*place] = value);
            flows[from] -= q;
            flows[to] += q;
        }
        capacities.fill(T::zero());
        heat.capacitors.iter().for_each(|one| capacities[one.node] += reals[one.value]);
        for one in &heat.capacitors {
            let rate = flows[one.node] / capacities[one.node];
            let q = reals[one.value] * rate;
            one.outputs.iter().zip([rate, q]).for_each(|(place, value)| reals[*place] = value);
        }
        for (node, q) in heat.nodes.iter().zip(flows) {
            node.sink.iter().for_each(|place| reals[*place] = *q);
        }
        Ok(())
    }

    /// Finds all temperatures, and gives parts those that were not known before.
    fn find_temperatures(&self, reals: &mut [T], buffers: &mut HeatBuffers<T>) -> Result<(), ModelError> {
        let heat = &self.wiring.heat;
        let HeatBuffers { temperatures, matrix, right, at_random, .. } = buffers;
        for (node, temperature) in heat.nodes.iter().zip(&mut *temperatures) {
            *temperature = node.known.map_or(T::zero(), |place| reals[place]);
        }
        if heat.unknown == 0 {
            return Ok(());
        }
        let unknown = |node: usize| heat.nodes[node].known.is_none().then_some(heat.nodes[node].number);
        matrix.fill(T::zero());
        right.fill(T::zero());
        for flow in &heat.flows {
            if let Some(k) = unknown(flow.node) {
                let [constant, slope] = flow.line(reals);
                right[k] += constant;
                matrix[(k, k)] -= slope;
            }
        }
        for (node, place) in &heat.losses {
            if let Some(k) = unknown(*node) {
                right[k] -= reals[*place];
            }
        }
        for link in &heat.links {
            let conductance = link.conductance(reals);
            let [from, to] = link.between;
            for [own, other] in [[from, to], [to, from]] {
                let Some(k) = unknown(own) else { continue };
                matrix[(k, k)] += conductance;
                match unknown(other) {
                    Some(j) => matrix[(k, j)] -= conductance,
                    None => right[k] += conductance * temperatures[other],
                }
            }
        }
        let taken = std::mem::take(matrix);
        let factor = Cholesky::new(taken);
        let is_solved = factor.is_some();
        *matrix = factor.map_or_else(
            || DMatrix::zeros(heat.unknown, heat.unknown),
            |factor| {
                factor.solve_mut(right);
                factor.unpack_dirty()
            },
        );
        if !(is_solved || *at_random) {
            let first = heat.nodes.iter().find(|node| node.known.is_none()).map_or("", |node| &node.name);
            return Err(ModelError::singular(format!(
                "the temperature at \"{first}\", or at a port that exchanges heat with it, follows from nothing, since conductances \
                 are 0 or given flows grow with it: give conductances above 0, or connect a HeatCapacitor"
            )));
        }
        for (i, node) in heat.nodes.iter().enumerate() {
            if let Some(k) = unknown(i) {
                temperatures[i] = right[k];
                node.copies.iter().for_each(|place| reals[*place] = right[k]);
            }
        }
        Ok(())
    }
}
