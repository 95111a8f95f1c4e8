within;
package Surroundings "What the models are connected with in the test"
  model MovingFrame "A motion whose derivatives are known"
    Modelica.Mechanics.MultiBody.Interfaces.Frame_b port;
  protected
    Real angle;
  equation
    angle = 0.1 + 0.4*time + 0.05*time^2;
    port.r_0 = {0.1 + 0.2*time, 0.3*time^2, -0.5*time};
    port.R.T = {{1, 0, 0}, {0, cos(angle), sin(angle)}, {0, -sin(angle), cos(angle)}};
    port.R.w = {0.4 + 0.1*time, 0, 0};
  end MovingFrame;

  model FreeFrame "A motion whose start is not given"
    Modelica.Mechanics.MultiBody.Interfaces.Frame_b port;
    Real v[3];
    Real angles[3];
    Real rates[3];
  equation
    v = der(port.r_0);
    der(v) = zeros(3);
    rates = der(angles);
    der(rates) = zeros(3);
    port.R = Modelica.Mechanics.MultiBody.Frames.axesRotations({1, 2, 3}, angles, rates);
  end FreeFrame;

  model LoadedFrame "A force and a torque"
    Modelica.Mechanics.MultiBody.Interfaces.Frame_b port;
  equation
    port.f = -{1, 2, 3};
    port.t = -{4, 5, 6};
  end LoadedFrame;

  model AcceleratedFrame "Needs the derivatives of the motion, as a body does"
    extends LoadedFrame;
    Real v_0[3];
    Real a_0[3];
    Real z[3];
  equation
    v_0 = der(port.r_0);
    a_0 = der(v_0);
    z = der(port.R.w);
  end AcceleratedFrame;

  model MovingShaft
    Modelica.Mechanics.Rotational.Interfaces.Flange_b port;
  equation
    port.phi = 0.1 + 0.4*time + 0.05*time^2;
  end MovingShaft;

  model LoadedShaft
    Modelica.Mechanics.Rotational.Interfaces.Flange_b port;
    Real w;
    Real a;
  equation
    w = der(port.phi);
    a = der(w);
    port.tau = -7;
  end LoadedShaft;

  model MovingRod
    Modelica.Mechanics.Translational.Interfaces.Flange_b port;
  equation
    port.s = 0.1 + 0.4*time + 0.05*time^2;
  end MovingRod;

  model LoadedRod
    Modelica.Mechanics.Translational.Interfaces.Flange_b port;
    Real v;
    Real a;
  equation
    v = der(port.s);
    a = der(v);
    port.f = -7;
  end LoadedRod;

  model Hot
    Modelica.Thermal.HeatTransfer.Interfaces.HeatPort_b port;
  equation
    port.T = 300;
  end Hot;

  model Inertia
    Modelica.Mechanics.Rotational.Interfaces.Flange_a flange_a;
    Modelica.Mechanics.Rotational.Interfaces.Flange_b flange_b;
    parameter Real J;
    Real w(start = 0, fixed = true);
    Real a;
  equation
    flange_b.phi = flange_a.phi;
    w = der(flange_a.phi);
    a = der(w);
    J*a = flange_a.tau + flange_b.tau;
  end Inertia;

  model Torque
    Modelica.Mechanics.Rotational.Interfaces.Flange_b port;
    Real tau;
  equation
    port.tau = -tau;
  end Torque;
end Surroundings;
