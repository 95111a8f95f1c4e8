within;
package MechanicalFMUs "Mechanical components as FMUs, with their physical connectors"
  extends Modelica.Icons.Package;
  annotation (
    version = "0.1.0",
    uses(Modelica(version = "4.0.0")),
    Documentation(info = "<html>\n<p>Each model holds the block that a tool makes of an FMU and connects it with the connectors of the Modelica Standard Library. Import the FMU first: OpenModelica calls the block of Name.fmu Name_me_FMU, and the model Name looks for it under that name. A block of another name is given with <code>redeclare model FMU = …</code>.</p>\n</html>"));
end MechanicalFMUs;
