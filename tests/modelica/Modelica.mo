within;
package Modelica "Stand-in for the Standard Library: the names and equations that the generated models use"
  package Icons
    partial package Package
    end Package;

    partial package InternalPackage
    end InternalPackage;
  end Icons;

  package Constants
    constant Real inf = 1e60;
  end Constants;

  package Units
    package SI
      type Angle = Real(unit = "rad");
      type AngularVelocity = Real(unit = "rad/s");
      type AngularAcceleration = Real(unit = "rad/s2");
      type Torque = Real(unit = "N.m");
      type Position = Real(unit = "m");
      type Velocity = Real(unit = "m/s");
    end SI;
  end Units;

  package Utilities
    package Files
      function loadResource
        input String uri;
        output String path;
      algorithm
        path := uri;
      end loadResource;
    end Files;
  end Utilities;

  package Math
    package Vectors
      function length
        input Real v[:];
        output Real result;
      algorithm
        result := sqrt(v*v);
      end length;

      function normalize
        input Real v[:];
        output Real result[size(v, 1)];
      algorithm
        result := v/max(1e-13, sqrt(v*v));
      end normalize;
    end Vectors;
  end Math;

  package Blocks
    package Interfaces
      connector RealInput = input Real;
      connector RealOutput = output Real;
      connector IntegerInput = input Integer;
      connector IntegerOutput = output Integer;
      connector BooleanInput = input Boolean;
      connector BooleanOutput = output Boolean;

      package Adaptors
        package Functions
          function state1
            input Real u[2];
            input Real dummy;
            output Real s;
          algorithm
            s := u[1];
            annotation (derivative(noDerivative = u) = state1der1, InlineAfterIndexReduction = true);
          end state1;

          function state1der1
            input Real u[2];
            input Real dummy;
            input Real dummy_der;
            output Real sder1;
          algorithm
            sder1 := u[2];
          end state1der1;

          function state2
            input Real u[3];
            input Real dummy;
            output Real s;
          algorithm
            s := u[1];
            annotation (derivative(noDerivative = u) = state2der1, InlineAfterIndexReduction = true);
          end state2;

          function state2der1
            input Real u[3];
            input Real dummy;
            input Real dummy_der;
            output Real sder1;
          algorithm
            sder1 := u[2];
            annotation (derivative(noDerivative = u, order = 2) = state2der2, InlineAfterIndexReduction = true);
          end state2der1;

          function state2der2
            input Real u[3];
            input Real dummy;
            input Real dummy_der;
            input Real dummy_der2;
            output Real sder2;
          algorithm
            sder2 := u[3];
          end state2der2;
        end Functions;
      end Adaptors;
    end Interfaces;
  end Blocks;

  package Mechanics
    package MultiBody
      model World
        parameter Boolean enableAnimation = true;
        parameter Types.GravityTypes gravityType = Types.GravityTypes.UniformGravity;
        parameter Real g = 9.80665;
        parameter Real n[3] = {0, -1, 0};
        parameter Real defaultJointLength = 0.1;
        parameter Real defaultJointWidth = 0.05;
        parameter Real defaultSpecularCoefficient = 0.7;
      end World;

      package Types
        type GravityTypes = enumeration(NoGravity, UniformGravity, PointGravity);

        package Defaults
          constant Real JointRodDiameterFraction = 2;
        end Defaults;
      end Types;

      package Visualizers
        package Advanced
          model Shape "Its middle, half way along its length"
            parameter String shapeType;
            input Frames.Orientation R;
            input Real r[3];
            input Real r_shape[3] = {0, 0, 0};
            input Real lengthDirection[3];
            input Real widthDirection[3];
            input Real length;
            input Real width;
            input Real height;
            input Real color[3];
            input Real specularCoefficient;
            Real middle[3];
          protected
            Real e[3];
          equation
            e = lengthDirection/max(1e-10, sqrt(lengthDirection*lengthDirection));
            middle = r + Frames.resolve1(R, r_shape + e*length/2);
          end Shape;
        end Advanced;
      end Visualizers;

      package Frames
        record Orientation
          Real T[3, 3];
          Real w[3];
        end Orientation;

        function from_T
          input Real T[3, 3];
          input Real w[3];
          output Orientation R;
        algorithm
          R.T := T;
          R.w := w;
        end from_T;

        function nullRotation
          output Orientation R;
        algorithm
          R.T := {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
          R.w := {0, 0, 0};
        end nullRotation;

        function axesRotations
          input Integer sequence[3];
          input Real angles[3];
          input Real der_angles[3];
          output Orientation R;
        protected
          Real A[3, 3];
          Real B[3, 3];
        algorithm
          A := axisRotation(sequence[3], angles[3]);
          B := axisRotation(sequence[2], angles[2]);
          R.T := A*B*axisRotation(sequence[1], angles[1]);
          R.w := A*B*axis(sequence[1])*der_angles[1] + A*axis(sequence[2])*der_angles[2] + axis(sequence[3])*der_angles[3];
        end axesRotations;

        function axis
          input Integer number;
          output Real e[3];
        algorithm
          e := if number == 1 then {1, 0, 0} elseif number == 2 then {0, 1, 0} else {0, 0, 1};
        end axis;

        function axisRotation
          input Integer number;
          input Real angle;
          output Real T[3, 3];
        protected
          Real c;
          Real s;
        algorithm
          c := cos(angle);
          s := sin(angle);
          T := if number == 1 then {{1, 0, 0}, {0, c, s}, {0, -s, c}} elseif number == 2 then
            {{c, 0, -s}, {0, 1, 0}, {s, 0, c}} else {{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
        end axisRotation;

        function resolve1
          input Orientation R;
          input Real v2[3];
          output Real v1[3];
        algorithm
          v1 := transpose(R.T)*v2;
        end resolve1;

        function resolve2
          input Orientation R;
          input Real v1[3];
          output Real v2[3];
        algorithm
          v2 := R.T*v1;
        end resolve2;

        package TransformationMatrices
          function from_Q "Q = e sin(angle/2), cos(angle/2)"
            input Real Q[4];
            output Real T[3, 3];
          algorithm
            T := {{2*(Q[1]*Q[1] + Q[4]*Q[4]) - 1, 2*(Q[1]*Q[2] + Q[3]*Q[4]), 2*(Q[1]*Q[3] - Q[2]*Q[4])},
                  {2*(Q[2]*Q[1] - Q[3]*Q[4]), 2*(Q[2]*Q[2] + Q[4]*Q[4]) - 1, 2*(Q[2]*Q[3] + Q[1]*Q[4])},
                  {2*(Q[3]*Q[1] + Q[2]*Q[4]), 2*(Q[3]*Q[2] - Q[1]*Q[4]), 2*(Q[3]*Q[3] + Q[4]*Q[4]) - 1}};
          end from_Q;

          function to_Q "For rotations of less than half a turn"
            input Real T[3, 3];
            output Real Q[4];
          protected
            Real q;
          algorithm
            q := sqrt(1 + T[1, 1] + T[2, 2] + T[3, 3])/2;
            Q := {(T[2, 3] - T[3, 2])/(4*q), (T[3, 1] - T[1, 3])/(4*q), (T[1, 2] - T[2, 1])/(4*q), q};
          end to_Q;

          function axesRotations "For the sequence 1, 2, 3"
            input Integer sequence[3];
            input Real angles[3];
            output Real T[3, 3];
          protected
            Real c[3];
            Real s[3];
          algorithm
            c := {cos(angles[1]), cos(angles[2]), cos(angles[3])};
            s := {sin(angles[1]), sin(angles[2]), sin(angles[3])};
            T := {{c[2]*c[3], c[1]*s[3] + s[1]*s[2]*c[3], s[1]*s[3] - c[1]*s[2]*c[3]},
                  {-c[2]*s[3], c[1]*c[3] - s[1]*s[2]*s[3], s[1]*c[3] + c[1]*s[2]*s[3]},
                  {s[2], -s[1]*c[2], c[1]*c[2]}};
          end axesRotations;

          function axesRotationsAngles "For the sequence 1, 2, 3"
            input Real T[3, 3];
            input Integer sequence[3];
            output Real angles[3];
          algorithm
            angles := {atan2(-T[3, 2], T[3, 3]), asin(T[3, 1]), atan2(-T[2, 1], T[1, 1])};
          end axesRotationsAngles;
        end TransformationMatrices;
      end Frames;

      package Interfaces
        connector Frame
          Real r_0[3];
          Frames.Orientation R;
          flow Real f[3];
          flow Real t[3];
        end Frame;

        connector Frame_a
          extends Frame;
        end Frame_a;

        connector Frame_b
          extends Frame;
        end Frame_b;
      end Interfaces;
    end MultiBody;

    package Rotational
      package Interfaces
        connector Flange_a
          Real phi;
          flow Real tau;
        end Flange_a;

        connector Flange_b
          Real phi;
          flow Real tau;
        end Flange_b;

        connector Support
          Real phi;
          flow Real tau;
        end Support;

        partial model PartialCompliantWithRelativeStates
          Real phi_rel(start = 0, stateSelect = stateSelect);
          Real w_rel(start = 0, stateSelect = stateSelect);
          Real a_rel(start = 0);
          Real tau;
          Flange_a flange_a;
          Flange_b flange_b;
          parameter Real phi_nominal = 1e-4;
          parameter StateSelect stateSelect = StateSelect.prefer;
        equation
          phi_rel = flange_b.phi - flange_a.phi;
          w_rel = der(phi_rel);
          a_rel = der(w_rel);
          flange_b.tau = tau;
          flange_a.tau = -tau;
        end PartialCompliantWithRelativeStates;

        partial model PartialElementaryTwoFlangesAndSupport2
          parameter Boolean useSupport = false;
          Flange_a flange_a;
          Flange_b flange_b;
          Support support(phi = phi_support, tau = -flange_a.tau - flange_b.tau) if useSupport;
        protected
          Real phi_support;
        equation
          if not useSupport then
            phi_support = 0;
          end if;
        end PartialElementaryTwoFlangesAndSupport2;
      end Interfaces;
    end Rotational;

    package Translational
      package Interfaces
        connector Flange_a
          Real s;
          flow Real f;
        end Flange_a;

        connector Flange_b
          Real s;
          flow Real f;
        end Flange_b;
      end Interfaces;
    end Translational;
  end Mechanics;

  package Thermal
    package HeatTransfer
      package Interfaces
        connector HeatPort_a
          Real T;
          flow Real Q_flow;
        end HeatPort_a;

        connector HeatPort_b
          Real T;
          flow Real Q_flow;
        end HeatPort_b;

        partial model PartialElementaryConditionalHeatPortWithoutT
          parameter Boolean useHeatPort = false;
          HeatPort_a heatPort(Q_flow = -lossPower) if useHeatPort;
          Real lossPower;
        end PartialElementaryConditionalHeatPortWithoutT;
      end Interfaces;
    end HeatTransfer;
  end Thermal;
end Modelica;
