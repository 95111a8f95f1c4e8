//! `documentation/sbom.cdx.json`: the packages linked into an FMU, in the format CycloneDX 1.6.

use serde_json::{Value, json};

use super::{Origin, Package};
use crate::description::Description;

impl Origin {
    /// Returns the software bill of materials, which does not depend on the time and place of the build.
    pub(crate) fn sbom(&self, description: &Description) -> String {
        let guid = description.guid.trim_matches(['{', '}']);
        let mut fmu = json!({
            "type": "library",
            "bom-ref": "fmu",
            "name": description.name,
            "description": description.description,
        });
        if let Some((_, version)) = description.versions.get(1) {
            fmu["version"] = version.as_str().into();
        }
        add_license(&mut fmu, self.license.as_deref());
        let components: Vec<_> = self.packages.iter().map(component).collect();
        let references: Vec<_> = self.packages.iter().map(purl).collect();
        let bom = json!({
            "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
            "bomFormat": "CycloneDX",
            "specVersion": "1.6",
            "serialNumber": format!("urn:uuid:{guid}"),
            "version": 1,
            "metadata": { "component": fmu },
            "components": components,
            "dependencies": [{ "ref": "fmu", "dependsOn": references }],
        });
        format!("{bom:#}\n")
    }
}

fn component(package: &Package) -> Value {
    let mut component = json!({
        "type": "library",
        "bom-ref": purl(package),
        "name": package.name,
        "version": package.version,
        "purl": purl(package),
    });
    add_license(&mut component, package.license.as_deref());
    if let Some(sha256) = &package.sha256 {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": sha256 }]);
    }
    if let Some(repository) = &package.repository {
        component["externalReferences"] = json!([{ "type": "vcs", "url": repository }]);
    }
    component
}

fn add_license(component: &mut Value, license: Option<&str>) {
    if let Some(license) = license {
        component["licenses"] = json!([{ "expression": license }]);
    }
}

/// Returns the package URL.
fn purl(package: &Package) -> String {
    format!("pkg:cargo/{}@{}", package.name, package.version.replace('+', "%2B"))
}
