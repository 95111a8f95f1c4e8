within MechanicalFMUs;
package Internal "Functions of the FMUs"
  extends Modelica.Icons.InternalPackage;

  class Instance "An instance of an FMU"
    extends ExternalObject;

    function constructor "Loads the FMU and sets its parameters"
      input String folder "Folder of the unpacked FMU";
      input String name "modelIdentifier";
      input String guid "guid";
      input Integer reals[:] "Value references of Real parameters";
      input Real realValues[:] "Their values";
      input Integer integers[:] "Value references of Integer parameters";
      input Integer integerValues[:] "Their values";
      input Integer booleans[:] "Value references of Boolean parameters";
      input Integer booleanValues[:] "Their values";
      input Integer inputs[:] "Value references of states, then of inputs, level by level";
      input Integer inputCounts[5] "Number of states, and of inputs of each level";
      input Integer outputs[:] "Value references of outputs, level by level";
      input Integer outputCounts[5] "Number of outputs of each level, then of what is drawn or followed";
      input Integer frames[:] "Number of frames among inputs and outputs of motion, then 1 for each of the latter that is in use, else 0";
      output Instance fmu "Instance";
      external "C" fmu = MechanicalFMU_open(folder, name, guid, reals, size(reals, 1), realValues,
        integers, size(integers, 1), integerValues, booleans, size(booleans, 1), booleanValues,
        inputs, size(inputs, 1), inputCounts, outputs, size(outputs, 1), outputCounts, frames)
        annotation(Include = "#include \"MechanicalFMU.h\"", IncludeDirectory = "modelica://MechanicalFMUs/Resources/Include", Library = "dl");
    end constructor;

    function destructor "Frees the instance"
      input Instance fmu "Instance";
      external "C" MechanicalFMU_close(fmu)
        annotation(Include = "#include \"MechanicalFMU.h\"", IncludeDirectory = "modelica://MechanicalFMUs/Resources/Include", Library = "dl");
    end destructor;
  end Instance;

  // start, startWith, states and memory are called in initial equations only and declare no purity, so that tools of all versions of
  // Modelica take them there.
  function start "Initialises the instance with what is known then"
    input Instance fmu "Instance";
    input Real t "Time";
    input Real u[:] "Inputs of the first levels";
    output Integer ready "1";
    external "C" ready = MechanicalFMU_start(fmu, t, u, size(u, 1))
      annotation(Include = "#include \"MechanicalFMU.h\"", IncludeDirectory = "modelica://MechanicalFMUs/Resources/Include", Library = "dl");
  end start;

  function startWith "Initialises an instance with Integer and Boolean inputs"
    input Instance fmu "Instance";
    input Real t "Time";
    input Real u[:] "Inputs of the first levels";
    input Integer givenIntegers[:] "Value references of Integer inputs";
    input Integer givenBooleans[:] "Value references of Boolean inputs";
    input Integer given[:] "Integer inputs, then Boolean ones as 0 or 1";
    output Integer ready "1";
    external "C" ready = MechanicalFMU_start_with(fmu, t, u, size(u, 1), givenIntegers, size(givenIntegers, 1),
      givenBooleans, size(givenBooleans, 1), given)
      annotation(Include = "#include \"MechanicalFMU.h\"", IncludeDirectory = "modelica://MechanicalFMUs/Resources/Include", Library = "dl");
  end startWith;

  pure function positions "Positions of what the FMU moves"
    input Instance fmu "Instance";
    input Integer ready "Result of start";
    input Integer ny "Number of outputs";
    input Real u[:] "Positions";
    output Real y[ny] "Outputs";
    external "C" MechanicalFMU_evaluate(fmu, 0, u, size(u, 1), y, size(y, 1))
      annotation(Include = "#include \"MechanicalFMU.h\"", IncludeDirectory = "modelica://MechanicalFMUs/Resources/Include", Library = "dl");
    annotation(derivative = positions_d);
  end positions;

  pure function positions_d "First derivative of positions"
    input Instance fmu "Instance";
    input Integer ready "Result of start";
    input Integer ny "Number of outputs";
    input Real u[:] "Positions";
    input Real u_d[size(u, 1)] "Their derivatives";
    output Real y_d[ny] "Derivatives of the outputs";
    external "C" MechanicalFMU_positions_d(fmu, u, u_d, size(u, 1), y_d, size(y_d, 1))
      annotation(Include = "#include \"MechanicalFMU.h\"", IncludeDirectory = "modelica://MechanicalFMUs/Resources/Include", Library = "dl");
    annotation(derivative(order = 2) = positions_dd);
  end positions_d;

  pure function positions_dd "Second derivative of positions"
    input Instance fmu "Instance";
    input Integer ready "Result of start";
    input Integer ny "Number of outputs";
    input Real u[:] "Positions";
    input Real u_d[size(u, 1)] "Their derivatives";
    input Real u_dd[size(u, 1)] "Their second derivatives";
    output Real y_dd[ny] "Second derivatives of the outputs";
    external "C" MechanicalFMU_positions_dd(fmu, u, u_d, u_dd, size(u, 1), y_dd, size(y_dd, 1))
      annotation(Include = "#include \"MechanicalFMU.h\"", IncludeDirectory = "modelica://MechanicalFMUs/Resources/Include", Library = "dl");
  end positions_dd;

  pure function velocities "Velocities of what the FMU moves"
    input Instance fmu "Instance";
    input Integer ready "Result of start";
    input Integer ny "Number of outputs";
    input Real u[:] "Positions";
    input Real v[:] "Velocities";
    output Real y[ny] "Outputs";
    external "C" MechanicalFMU_velocities(fmu, u, size(u, 1), v, size(v, 1), y, size(y, 1))
      annotation(Include = "#include \"MechanicalFMU.h\"", IncludeDirectory = "modelica://MechanicalFMUs/Resources/Include", Library = "dl");
    annotation(derivative(noDerivative = u) = accelerations);
  end velocities;

  pure function accelerations "Accelerations of what the FMU moves"
    input Instance fmu "Instance";
    input Integer ready "Result of start";
    input Integer ny "Number of outputs";
    input Real u[:] "Positions";
    input Real v[:] "Velocities";
    input Real a[size(v, 1)] "Accelerations";
    output Real y[ny] "Outputs";
    external "C" MechanicalFMU_accelerations(fmu, u, size(u, 1), v, a, size(v, 1), y, size(y, 1))
      annotation(Include = "#include \"MechanicalFMU.h\"", IncludeDirectory = "modelica://MechanicalFMUs/Resources/Include", Library = "dl");
  end accelerations;

  pure function loads "Loads and all other outputs"
    input Instance fmu "Instance";
    input Integer ready "Result of start";
    input Integer ny "Number of outputs";
    input Real u[:] "Inputs";
    output Real y[ny] "Outputs";
    external "C" MechanicalFMU_evaluate(fmu, 3, u, size(u, 1), y, size(y, 1))
      annotation(Include = "#include \"MechanicalFMU.h\"", IncludeDirectory = "modelica://MechanicalFMUs/Resources/Include", Library = "dl");
    annotation(derivative = loads_d);
  end loads;

  pure function loads_d "Derivative of loads"
    input Instance fmu "Instance";
    input Integer ready "Result of start";
    input Integer ny "Number of outputs";
    input Real u[:] "Inputs";
    input Real u_d[size(u, 1)] "Their derivatives";
    output Real y_d[ny] "Derivatives of the outputs";
    external "C" MechanicalFMU_loads_d(fmu, u, u_d, size(u, 1), y_d, size(y_d, 1))
      annotation(Include = "#include \"MechanicalFMU.h\"", IncludeDirectory = "modelica://MechanicalFMUs/Resources/Include", Library = "dl");
  end loads_d;

  pure function linear "Accelerations as factors*z + b, loads as others*z + b"
    input Instance fmu "Instance";
    input Integer ready "Result of start";
    input Integer na "Number of accelerations that the FMU gives";
    input Integer nz "Number of accelerations that it takes";
    input Integer nf "Number of loads that the FMU gives";
    input Integer nl "Number of loads that it takes";
    input Real u[:] "Positions and velocities";
    output Real factors[na, nz] "Accelerations by accelerations";
    output Real others[nf, nz + nl] "Loads by accelerations and loads";
    output Real b[na + nf] "The rest, accelerations first";
    external "C" MechanicalFMU_linear(fmu, u, size(u, 1), factors, size(factors, 1), size(factors, 2),
      others, size(others, 1), size(others, 2), b, size(b, 1))
      annotation(Include = "#include \"MechanicalFMU.h\"", IncludeDirectory = "modelica://MechanicalFMUs/Resources/Include", Library = "dl");
  end linear;

  pure function innerFrame "Motion of an inner frame to which nothing is connected"
    input Instance fmu "Instance";
    input Integer ready "Result of start";
    input Integer number "Number of the frame";
    input Real u[:] "Positions and velocities";
    output Real r_0[3](each unit = "m") "Position";
    output Real T[3, 3] "Rotation matrix from the world frame";
    output Real w[3](each unit = "rad/s") "Angular velocity";
    external "C" MechanicalFMU_inner(fmu, number, u, size(u, 1), r_0, T, w)
      annotation(Include = "#include \"MechanicalFMU.h\"", IncludeDirectory = "modelica://MechanicalFMUs/Resources/Include", Library = "dl");
  end innerFrame;

  pure function law "Results of the law of a component"
    input Instance fmu "Instance";
    input Integer ready "Result of start";
    input Integer branch "Branch of the law";
    input Real u[:] "Arguments";
    input Integer ny "Number of results";
    output Real y[ny] "Results";
    external "C" MechanicalFMU_law(fmu, branch, u, size(u, 1), y, size(y, 1))
      annotation(Include = "#include \"MechanicalFMU.h\"", IncludeDirectory = "modelica://MechanicalFMUs/Resources/Include", Library = "dl");
    annotation(derivative = law_d);
  end law;

  pure function law_d "Derivative of law"
    input Instance fmu "Instance";
    input Integer ready "Result of start";
    input Integer branch "Branch of the law";
    input Real u[:] "Arguments";
    input Integer ny "Number of results";
    input Real u_d[size(u, 1)] "Derivatives of the arguments";
    output Real y_d[ny] "Derivatives of the results";
    external "C" MechanicalFMU_law_d(fmu, branch, u, u_d, size(u, 1), y_d, size(y_d, 1))
      annotation(Include = "#include \"MechanicalFMU.h\"", IncludeDirectory = "modelica://MechanicalFMUs/Resources/Include", Library = "dl");
  end law_d;

  function states "States of a block after its start"
    input Instance fmu "Instance";
    input Integer ready "Result of start";
    input Integer nx "Number of states";
    output Real x[nx] "States";
    external "C" MechanicalFMU_states(fmu, x, size(x, 1))
      annotation(Include = "#include \"MechanicalFMU.h\"", IncludeDirectory = "modelica://MechanicalFMUs/Resources/Include", Library = "dl");
  end states;

  pure function values "Outputs of a level of a block; at level 3 derivatives of the states come first"
    input Instance fmu "Instance";
    input Integer ready "Result of start";
    input Integer epoch "Number of events";
    input Real t "Time";
    input Real u[:] "Inputs up to this level; from level 2 on all";
    input Real x[:] "States";
    input Integer level "Level; 4 for what is drawn or followed, which has no derivative";
    input Integer ny "Number of results";
    output Real y[ny] "Results";
    external "C" MechanicalFMU_values(fmu, t, u, size(u, 1), x, size(x, 1), level, y, size(y, 1))
      annotation(Include = "#include \"MechanicalFMU.h\"", IncludeDirectory = "modelica://MechanicalFMUs/Resources/Include", Library = "dl");
    annotation(derivative = values_d);
  end values;

  pure function values_d "Derivative of values"
    input Instance fmu "Instance";
    input Integer ready "Result of start";
    input Integer epoch "Number of events";
    input Real t "Time";
    input Real u[:] "Inputs up to this level; from level 2 on all";
    input Real x[:] "States";
    input Integer level "Level";
    input Integer ny "Number of results";
    input Real t_d "Derivative of the time, which is 1";
    input Real u_d[size(u, 1)] "Derivatives of the inputs";
    input Real x_d[size(x, 1)] "Derivatives of the states";
    output Real y_d[ny] "Derivatives of the results";
    external "C" MechanicalFMU_values_d(fmu, t, t_d, u, u_d, size(u, 1), x, x_d, size(x, 1), level, y_d, size(y_d, 1))
      annotation(Include = "#include \"MechanicalFMU.h\"", IncludeDirectory = "modelica://MechanicalFMUs/Resources/Include", Library = "dl");
  end values_d;

  pure function coefficients "Accelerations and loads of a block as A z + b, where z are those that it takes"
    input Instance fmu "Instance";
    input Integer ready "Result of start";
    input Integer epoch "Number of events";
    input Real t "Time";
    input Real u[:] "Inputs of the levels below";
    input Real x[:] "States";
    input Integer ny "Number of accelerations and loads that the FMU gives";
    input Integer nz "Number of accelerations and loads that it takes";
    output Real A[ny, nz] "Factors";
    output Real b[ny] "The rest";
    external "C" MechanicalFMU_coefficients(fmu, t, u, size(u, 1), x, size(x, 1), A, size(A, 1), size(A, 2), b, size(b, 1))
      annotation(Include = "#include \"MechanicalFMU.h\"", IncludeDirectory = "modelica://MechanicalFMUs/Resources/Include", Library = "dl");
  end coefficients;

  pure function indicators "Event indicators of a block"
    input Instance fmu "Instance";
    input Integer ready "Result of start";
    input Integer epoch "Number of events";
    input Real t "Time";
    input Real u[:] "Inputs";
    input Real x[:] "States";
    input Integer nz "Number of indicators";
    output Real z[nz] "Indicators";
    external "C" MechanicalFMU_indicators(fmu, t, u, size(u, 1), x, size(x, 1), z, size(z, 1))
      annotation(Include = "#include \"MechanicalFMU.h\"", IncludeDirectory = "modelica://MechanicalFMUs/Resources/Include", Library = "dl");
  end indicators;

  function memory "Integer and Boolean outputs of a block, and its next event"
    input Instance fmu "Instance";
    input Integer ready "Result of start";
    input Integer integers[:] "Value references of Integer outputs";
    input Integer booleans[:] "Value references of Boolean outputs";
    output Real nextTime "Time of the next event that is known";
    output Integer values[size(integers, 1) + size(booleans, 1)] "Integer outputs, then Boolean ones as 0 or 1";
    external "C" nextTime = MechanicalFMU_memory(fmu, integers, size(integers, 1), booleans, size(booleans, 1), values, size(values, 1))
      annotation(Include = "#include \"MechanicalFMU.h\"", IncludeDirectory = "modelica://MechanicalFMUs/Resources/Include", Library = "dl");
  end memory;

  impure function event "An event of a block, which changes its memory"
    input Instance fmu "Instance";
    input Integer ready "Result of start";
    input Integer epoch "Number of events";
    input Real t "Time";
    input Real u[:] "Inputs";
    input Real x[:] "States";
    input Integer integers[:] "Value references of Integer outputs";
    input Integer booleans[:] "Value references of Boolean outputs";
    output Real nextTime "Time of the next event that is known";
    output Real jumped[size(x, 1)] "States after the event";
    output Integer values[size(integers, 1) + size(booleans, 1)] "Integer outputs, then Boolean ones as 0 or 1";
    external "C" nextTime = MechanicalFMU_event(fmu, t, u, size(u, 1), x, size(x, 1), integers, size(integers, 1),
      booleans, size(booleans, 1), jumped, values, size(values, 1))
      annotation(Include = "#include \"MechanicalFMU.h\"", IncludeDirectory = "modelica://MechanicalFMUs/Resources/Include", Library = "dl");
  end event;

  impure function eventWith "An event of a block with Integer and Boolean inputs"
    input Instance fmu "Instance";
    input Integer ready "Result of start";
    input Integer epoch "Number of events";
    input Real t "Time";
    input Real u[:] "Inputs";
    input Real x[:] "States";
    input Integer givenIntegers[:] "Value references of Integer inputs";
    input Integer givenBooleans[:] "Value references of Boolean inputs";
    input Integer given[:] "Integer inputs, then Boolean ones as 0 or 1";
    input Integer integers[:] "Value references of Integer outputs";
    input Integer booleans[:] "Value references of Boolean outputs";
    output Real nextTime "Time of the next event that is known";
    output Real jumped[size(x, 1)] "States after the event";
    output Integer values[size(integers, 1) + size(booleans, 1)] "Integer outputs, then Boolean ones as 0 or 1";
    external "C" nextTime = MechanicalFMU_event_with(fmu, t, u, size(u, 1), x, size(x, 1), givenIntegers, size(givenIntegers, 1),
      givenBooleans, size(givenBooleans, 1), given, integers, size(integers, 1), booleans, size(booleans, 1), jumped, values,
      size(values, 1))
      annotation(Include = "#include \"MechanicalFMU.h\"", IncludeDirectory = "modelica://MechanicalFMUs/Resources/Include", Library = "dl");
  end eventWith;

  function halfSize "Half the largest distance between any two of some places"
    input Real places[:, 3](each unit = "m") "Places, resolved in one frame";
    output Real size_2(unit = "m") "1 m where all are one place";
  algorithm
    size_2 := 0;
    for i in 1:size(places, 1) loop
      for j in 1:i - 1 loop
        size_2 := max(size_2, Modelica.Math.Vectors.length(places[i, :] - places[j, :])/2);
      end for;
    end for;
    if size_2 <= 0 then
      size_2 := 1;
    end if;
  end halfSize;

  function uniformGravity "Acceleration of gravity that is the same everywhere"
    input Modelica.Mechanics.MultiBody.Types.GravityTypes gravityType "Of the world";
    input Real g "Of the world";
    input Real n[3] "Of the world";
    input Real mass "Mass on which it acts";
    output Real g_0[3](each unit = "m/s2") "Resolved in the world frame";
  algorithm
    assert(gravityType <> Modelica.Mechanics.MultiBody.Types.GravityTypes.PointGravity or mass <= 0,
      "this mass takes gravity that is the same everywhere, but world.gravityType is PointGravity; set its acceleration g");
    g_0 := if gravityType == Modelica.Mechanics.MultiBody.Types.GravityTypes.UniformGravity then
      g*Modelica.Math.Vectors.normalize(n) else zeros(3);
  end uniformGravity;
  annotation(Documentation(info = "<html>
<p>Levels of motion: positions, velocities, accelerations, loads with all others. See MechanicalFMU.h.</p>
</html>"));
end Internal;
