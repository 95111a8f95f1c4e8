//! Heat ports.

use fmu_runtime::group;
use fmu_runtime::unit::DEG_C;

group! {
    /// A heat port: the temperature is given, and with it the heat flow follows.
    pub struct HeatPort<T>(_o: ()) {
        input  T: T, K, "temperature", display = DEG_C;
        output Q_flow: T, W, "heat flow into the component";
    }
}
