//! The L-stable Rosenbrock method Rodas5P of order 5(4) with dense output of order 4.
//!
//! Source: G. Steinebach, Construction of Rosenbrock-Wanner method Rodas5P and numerical benchmarks within the Julia
//! Differential Equations package, BIT Numerical Mathematics 63:27 (2023). The form without products of the
//! Jacobian: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, IV.7.

use crate::component::integration::dense::Dense;
use crate::component::integration::linear::Factors;
use crate::component::integration::system::System;
use crate::component::model_error::ModelError;

const GAMMA: f64 = 0.211_937_563_194_290_14;

const A: [&[f64]; 8] = [
    &[],
    &[3.0],
    &[2.849_394_379_747_939, 0.458_422_422_044_639_23],
    &[-6.954_028_509_809_101, 2.489_845_061_869_568, -10.358_996_098_473_584],
    &[2.802_998_627_562_896_4, 0.507_246_473_622_820_6, -0.398_831_254_177_052_4, -0.047_211_872_304_046_41],
    &SOLUTION,
    &[SOLUTION[0], SOLUTION[1], SOLUTION[2], SOLUTION[3], SOLUTION[4], 1.0],
    &[SOLUTION[0], SOLUTION[1], SOLUTION[2], SOLUTION[3], SOLUTION[4], 1.0, 1.0],
];

/// Weights of the first five stages in the end of the step; the last three have the weight 1.
const SOLUTION: [f64; 5] = [
    -7.502_846_399_306_121, 2.561_846_144_803_919, -11.627_539_656_261_098, -0.182_687_676_599_422_56,
    0.030_198_172_008_377_946,
];

const C: [&[f64]; 8] = [
    &[],
    &[-14.155_112_264_123_755],
    &[-17.972_960_358_859_52, -2.859_693_295_451_294],
    &[147.121_502_757_117_16, -1.412_214_027_182_13, 71.689_402_513_023_58],
    &[165.435_170_248_716_76, -0.459_282_345_649_112_6, 42.909_383_369_586_03, -5.961_986_721_573_306],
    &[
        24.854_864_614_690_072, -3.000_922_700_283_218_6, 47.493_111_002_076_8, 5.581_419_782_155_812_5,
        -0.661_069_182_524_947_1,
    ],
    &[
        30.912_732_140_285_99, -3.120_824_334_993_797_4, 77.799_546_460_708_92, 34.286_460_282_947_83,
        -19.097_331_116_725_623, -28.087_943_162_872_662,
    ],
    &[
        37.802_771_233_905_63, -3.257_196_902_907_227_6, 112.269_188_494_963_27, 66.934_723_124_404_7,
        -40.066_189_370_910_02, -54.667_802_628_779_68, -9.488_616_523_096_27,
    ],
];

const NODES: [f64; 8] = [
    0.0, 0.635_812_689_582_870_4, 0.409_579_839_339_753_5, 0.976_930_672_506_071_6, 0.428_840_360_955_866_4, 1.0, 1.0,
    1.0,
];

/// Weights of the derivative in time.
const D: [f64; 5] =
    [GAMMA, -0.423_875_126_388_580_27, -0.338_462_712_623_592_4, 1.804_645_287_288_273_4, 2.325_825_639_765_069];

/// Weights of the dense output.
const H: [[f64; 8]; 3] = [
    [
        25.948_786_856_663_858, -2.557_972_484_584_623_5, 10.433_815_404_888_879, -2.367_925_102_268_520_4,
        0.524_948_541_321_073, 1.124_108_831_045_040_4, 0.427_287_619_443_187_4, -0.172_022_210_701_554_93,
    ],
    [
        -9.915_688_506_951_71, -0.968_994_459_411_515_4, 3.043_803_724_297_845_3, -24.495_224_566_215_796,
        20.176_138_334_709_044, 15.980_663_614_246_51, -6.789_040_303_419_874, -6.710_236_069_923_372,
    ],
    [
        11.419_903_575_922_262, 2.887_964_514_613_699_4, 72.921_379_959_960_29, 80.125_118_346_226_43,
        -52.072_871_366_152_654, -59.789_936_252_667_29, -0.155_826_842_827_519_13, 4.883_087_185_713_722,
    ],
];

/// Number of bounds of the eigenvalues of which the least one counts.
const BOUNDS: usize = 8;

/// Cost of a directional derivative in evaluations of the derivatives: dual numbers take two to four times the operations.
const DIRECTION: f64 = 3.0;

/// Returns the cost of a step in evaluations of the derivatives: its stages, and the Jacobian by states and time.
pub fn evaluations(states: usize) -> f64 {
    8.0 + DIRECTION * (states as f64 + 1.0)
}

/// A step of the method: its stages and Jacobian, without allocating for each.
#[derive(Clone, Debug)]
pub struct Rosenbrock {
    /// Derivatives of the states' derivatives by the states, column by column, and by the time.
    jacobian: Vec<f64>,
    by_time: Vec<f64>,
    factors: Factors,
    stages: [Vec<f64>; 8],
    end: Vec<f64>,
}

impl Rosenbrock {
    pub fn new(count: usize) -> Self {
        Self {
            jacobian: vec![0.0; count * count],
            by_time: vec![0.0; count],
            factors: Factors::new(count),
            stages: std::array::from_fn(|_| vec![0.0; count]),
            end: vec![0.0; count],
        }
    }

    /// Linearises the equations where the next steps begin.
    pub fn linearise(&mut self, system: &mut dyn System, t: f64, x: &[f64]) -> Result<(), ModelError> {
        let direction = &mut self.end;
        direction.fill(0.0);
        system.directional_derivatives(t, x, 1.0, direction, &mut self.by_time)?;
        for (j, column) in self.jacobian.chunks_exact_mut(x.len().max(1)).enumerate() {
            direction[j] = 1.0;
            system.directional_derivatives(t, x, 0.0, direction, column)?;
            direction[j] = 0.0;
        }
        Ok(())
    }

    /// Returns a bound of the eigenvalues where the equations were linearised, in 1/s, after a step from there.
    ///
    /// Source: R. Horn, C. Johnson, Matrix Analysis, 8.1.18 and 8.1.26: whatever the positive weights `x`, no eigenvalue of a
    /// matrix J is larger than the largest element of `|J| x` divided by that of `x`. Weights that become more and more those of
    /// the largest eigenvalue of `|J|` give a spring its frequency, whatever the units.
    pub fn spectral_bound(&mut self, scale: &[f64]) -> f64 {
        let n = scale.len();
        let [x, y, ..] = &mut self.stages;
        x.copy_from_slice(scale);
        let mut bound = f64::INFINITY;
        for _ in 0..BOUNDS {
            y.fill(0.0);
            for (column, x) in self.jacobian.chunks_exact(n.max(1)).zip(&*x) {
                y.iter_mut().zip(column).for_each(|(y, element)| *y += element.abs() * x);
            }
            bound = x.iter().zip(&*y).map(|(x, y)| y / x).fold(0.0, f64::max).min(bound);
            x.iter_mut().zip(&*y).for_each(|(x, y)| *x = (*x * y).sqrt().max(f64::MIN_POSITIVE));
        }
        bound
    }

    /// Makes a step of `h` from states `x` with derivatives `dx`; sets `error` to the estimated error, and the event
    /// indicators at the end.
    pub fn step(
        &mut self,
        system: &mut dyn System,
        (t, h): (f64, f64),
        (x, dx): (&[f64], &[f64]),
        dense: &mut Dense,
        error: &mut [f64],
        indicators: &mut [f64],
    ) -> Result<(), ModelError> {
        let n = x.len();
        let diagonal = 1.0 / (h * GAMMA);
        let jacobian = &self.jacobian;
        if !self.factors.factorise(|i, j| f64::from(i == j) * diagonal - jacobian[j * n + i]) {
            return Err(ModelError::singular("the linear equations of an implicit step have no solution"));
        }
        for stage in 0..8 {
            let (done, rest) = self.stages.split_at_mut(stage);
            let now = &mut rest[0];
            if stage == 0 {
                now.copy_from_slice(dx);
            } else {
                for i in 0..n {
                    dense.end[i] = x[i] + A[stage].iter().zip(&*done).map(|(a, u)| a * u[i]).sum::<f64>();
                }
                system.derivatives(t + NODES[stage] * h, &dense.end, now)?;
            }
            let by_time = D.get(stage).map_or(0.0, |d| h * d);
            for i in 0..n {
                let carried: f64 = C[stage].iter().zip(&*done).map(|(c, u)| c * u[i]).sum();
                now[i] += carried / h + by_time * self.by_time[i];
            }
            self.factors.solve(now);
        }
        error[..n].copy_from_slice(&self.stages[7][..n]);
        for (end, error) in dense.end.iter_mut().zip(&error[..n]) {
            *end += error;
        }
        for (weights, coefficients) in H.iter().zip(&mut dense.coefficients) {
            for i in 0..n {
                coefficients[i] = weights.iter().zip(&self.stages).map(|(weight, u)| weight * u[i]).sum();
            }
        }
        system.derivatives_and_indicators(t + h, &dense.end, &mut self.end, indicators)
    }

    /// Returns the derivatives at the end of the step.
    pub fn end(&self) -> &[f64] {
        &self.end
    }
}
