within MechanicalFMUs;
package Internal "Stand-in for the functions of the FMUs: their results are known numbers"
  extends Modelica.Icons.InternalPackage;

  function open "A sum that changes with every parameter"
    input Integer reals[:];
    input Real realValues[:];
    input Integer integers[:];
    input Integer integerValues[:];
    input Integer booleans[:];
    input Integer booleanValues[:];
    input Integer inputs[:];
    input Integer inputCounts[5];
    input Integer outputs[:];
    input Integer outputCounts[5];
    input Integer frames[:];
    output Real total;
  algorithm
    total := 0;
    for i in 1:size(reals, 1) loop
      total := total + (reals[i] + 1)*realValues[i];
    end for;
    for i in 1:size(integers, 1) loop
      total := total + (integers[i] + 1)*integerValues[i];
    end for;
    for i in 1:size(booleans, 1) loop
      total := total + (booleans[i] + 1)*booleanValues[i];
    end for;
  end open;

  function start
    input Real fmu;
    input Real t;
    input Real u[:];
    output Integer ready;
  algorithm
    ready := 1;
  end start;

  function startWith
    input Real fmu;
    input Real t;
    input Real u[:];
    input Integer givenIntegers[:];
    input Integer givenBooleans[:];
    input Integer given[:];
    output Integer ready;
  algorithm
    ready := 1;
  end startWith;

  function positions
    input Real fmu;
    input Integer ready;
    input Integer ny;
    input Real u[:];
    output Real y[ny];
  algorithm
    y := {100 + i/8 for i in 1:ny};
  end positions;

  function velocities
    input Real fmu;
    input Integer ready;
    input Integer ny;
    input Real u[:];
    input Real v[:];
    output Real y[ny];
  algorithm
    y := {200 + i/8 for i in 1:ny};
  end velocities;

  function accelerations
    input Real fmu;
    input Integer ready;
    input Integer ny;
    input Real u[:];
    input Real v[:];
    input Real a[size(v, 1)];
    output Real y[ny];
  algorithm
    y := {300 + i/8 for i in 1:ny};
  end accelerations;

  function loads
    input Real fmu;
    input Integer ready;
    input Integer ny;
    input Real u[:];
    output Real y[ny];
  algorithm
    y := {400 + i/8 for i in 1:ny};
  end loads;

  function linear
    input Real fmu;
    input Integer ready;
    input Integer na;
    input Integer nz;
    input Integer nf;
    input Integer nl;
    input Real u[:];
    output Real factors[na, nz];
    output Real others[nf, nz + nl];
    output Real b[na + nf];
  algorithm
    factors := zeros(na, nz);
    others := zeros(nf, nz + nl);
    b := {500 + i/8 for i in 1:na + nf};
  end linear;

  function innerFrame
    input Real fmu;
    input Integer ready;
    input Integer number;
    input Real u[:];
    output Real r_0[3];
    output Real T[3, 3];
    output Real w[3];
  algorithm
    r_0 := {1000 + 100*number + i/8 for i in 1:3};
    T := {{1000 + 100*number + (3*i + j)/8 for j in 1:3} for i in 1:3};
    w := {1000 + 100*number + (12 + i)/8 for i in 1:3};
  end innerFrame;

  function states
    input Real fmu;
    input Integer ready;
    input Integer nx;
    output Real x[nx];
  algorithm
    x := zeros(nx);
  end states;

  function values
    input Real fmu;
    input Integer ready;
    input Integer epoch;
    input Real t;
    input Real u[:];
    input Real x[:];
    input Integer level;
    input Integer ny;
    output Real y[ny];
  algorithm
    y := {600 + 100*level + i/8 for i in 1:ny};
  end values;

  function coefficients
    input Real fmu;
    input Integer ready;
    input Integer epoch;
    input Real t;
    input Real u[:];
    input Real x[:];
    input Integer ny;
    input Integer nz;
    output Real A[ny, nz];
    output Real b[ny];
  algorithm
    A := zeros(ny, nz);
    b := {500 + i/8 for i in 1:ny};
  end coefficients;

  function law "With 7 results friction: 5 N.m, 6 N.m while stuck; otherwise the gripper's arguments again"
    input Real fmu;
    input Integer ready;
    input Integer branch;
    input Real u[:];
    input Integer ny;
    output Real y[ny];
  algorithm
    y := zeros(ny);
    if ny == 7 then
      y[1] := if branch == 0 then 0 else 1;
      y[2] := if branch == 1 then -6*u[2] elseif branch == -1 then 6*u[2] else 0;
      y[3] := if branch == 0 then 1 else 0;
      y[4] := if branch == 1 then 5*u[2] elseif branch == -1 then -5*u[2] else 0;
      y[5] := 5*u[2];
      y[6] := 6*u[2];
      y[7] := 10*u[2];
    else
      y[1] := branch;
      y[2] := u[38];
      y[3] := u[39];
      y[4] := u[42];
      y[13] := u[37];
      y[14] := u[1] + u[19];
      y[15] := u[1];
      y[18] := u[32];
    end if;
  end law;

  function halfSize "Half the largest distance between any two of some places"
    input Real places[:, 3];
    output Real size_2;
  algorithm
    size_2 := 1;
  end halfSize;

  function uniformGravity "Acceleration of gravity that is the same everywhere"
    input Modelica.Mechanics.MultiBody.Types.GravityTypes gravityType "Of the world";
    input Real g "Of the world";
    input Real n[3] "Of the world";
    input Real mass "Mass on which it acts";
    output Real g_0[3](each unit = "m/s2") "Resolved in the world frame";
  algorithm
    g_0 := if gravityType == Modelica.Mechanics.MultiBody.Types.GravityTypes.UniformGravity then
      g*Modelica.Math.Vectors.normalize(n) else zeros(3);
  end uniformGravity;
end Internal;
