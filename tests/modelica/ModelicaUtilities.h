/* The functions of a Modelica tool that external functions call, as tests/modelica/tool.h defines them. */
#ifndef MODELICA_UTILITIES_H
#define MODELICA_UTILITIES_H

void ModelicaFormatError(const char *format, ...);
void ModelicaFormatWarning(const char *format, ...);

#endif
