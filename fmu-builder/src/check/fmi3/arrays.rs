//! Dimensions of arrays.

use crate::check::report::Report;
use crate::read::element::Element;

pub(super) fn check(root: &Element, report: &mut Report) {
    let variables = root.list("ModelVariables");
    for variable in variables {
        let name = variable.attribute("name").unwrap_or_default();
        for dimension in variable.children.iter().filter(|child| child.name == "Dimension") {
            let (start, reference) = (dimension.attribute("start"), dimension.attribute("valueReference"));
            report.expect(start.is_some() != reference.is_some(), "T-19", || {
                format!("variable \"{name}\": a dimension needs either start or valueReference")
            });
            let Some(reference) = reference else { continue };
            let size = variables.iter().find(|other| other.attribute("valueReference") == Some(reference));
            let fits = size.is_some_and(|size| {
                size.name == "UInt64"
                    && (size.attribute("causality") == Some("structuralParameter")
                        || size.attribute("variability") == Some("constant"))
            });
            report.expect(fits, "T-19", || {
                format!(
                    "variable \"{name}\": a dimension refers to {reference}, which is neither a structural parameter nor a \
                     constant of the type UInt64"
                )
            });
        }
    }
}
