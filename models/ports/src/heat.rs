//! Heat ports.

use fmu_runtime::group;
use fmu_runtime::unit::DEG_C;

group! {
    /// Temperature at a heat port.
    pub struct HeatPortTemperature<T>(_o: ()) {
        T: T, K, "temperature", display = DEG_C;
    }
}

group! {
    /// Heat flow at a heat port.
    pub struct HeatPortFlow<T>(_o: ()) {
        Q_flow: T, W, "heat flow into the component";
    }
}
