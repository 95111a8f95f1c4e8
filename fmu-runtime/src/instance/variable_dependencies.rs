//! Dependencies between elements of variables, as FMI 3.0 asks for them at run time.

use fmu_exchange::configuration::Configuration;
use fmu_exchange::{Base, reference};

use crate::component::dependencies::{DependencyAnalysis, dependency_analysis};
use crate::component::layout::{Layout, Rule};
use crate::instance::arrays::ArrayType;
use crate::instance::call_error::{CallError, Outcome};
use crate::instance::instance::Instance;

/// An element of a variable that depends on an element of another one. Elements count from 1; 0 means all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// The element that depends.
    pub element: usize,
    /// The value reference of the other variable.
    pub independent: u32,
    /// Number of the element of the other variable.
    pub independent_element: usize,
}

impl Instance {
    /// `fmi3GetVariableDependencies`: the dependencies that the equations show, as in `ModelStructure`; found when an
    /// importer first asks.
    pub fn variable_dependencies(&self, dependent: u32) -> Outcome<Vec<Dependency>> {
        let initial = self.is_initialising();
        let layout = &self.layout;
        let is_output = |base: Base, rules: &[Rule]| {
            rules.get(base.slot(dependent)).is_some_and(|rule| rule.has(Rule::OUTPUT | Rule::COMPUTED))
        };
        // Nothing is known of other types than Real.
        let is_discrete = is_output(Base::Integer, &layout.integers) || is_output(Base::Boolean, &layout.booleans);
        let elements = if is_discrete { Vec::new() } else { self.elements(ArrayType::Float64, &[dependent])? };
        elements.iter().try_for_each(|element| self.check_unknown(*element))?;
        let dependency_analysis = self.dependency_analysis()?;
        let (known, moves) =
            (&dependency_analysis.dependencies[usize::from(initial)], dependency_analysis.follows_time);
        let mut found = Vec::new();
        match known {
            Some(known) if !is_discrete => {
                for (i, element) in elements.iter().enumerate() {
                    for ((base, independent), _) in known.iter().filter(|(_, all)| all.contains(element)) {
                        let (independent, independent_element) = self.place(*base, *independent);
                        found.push(Dependency { element: i + 1, independent, independent_element });
                    }
                    // A state is a known, so it depends on itself.
                    if !initial && layout.reals[*element as usize].has(Rule::STATE) {
                        found.push(Dependency { element: i + 1, independent: dependent, independent_element: i + 1 });
                    }
                }
            }
            _ => {
                let needed = if initial { Rule::SET_INITIALIZATION } else { Rule::INPUT | Rule::STATE };
                let tables = layout.tables.iter().enumerate().filter(|(_, table)| initial && table.rows > 0);
                let all = self.variables(Base::Real, needed);
                found.extend(all.chain(tables.map(|(number, _)| reference::TABLES + number as u32)).map(whole));
                let parameters = if initial { Rule::PARAMETER } else { 0 };
                found.extend(self.variables(Base::Integer, parameters).map(whole));
                found.extend(self.variables(Base::Boolean, parameters).map(whole));
            }
        }
        // Everything is assumed to depend on inputs that are not Real, and on Strings.
        found.extend(self.variables(Base::Integer, Rule::INPUT).map(whole));
        found.extend(self.variables(Base::Boolean, Rule::INPUT).map(whole));
        found.extend(self.variables(Base::String, if initial { Rule::PARAMETER } else { 0 }).map(whole));
        found.extend(moves.then_some(whole(reference::TIME)));
        Ok(found)
    }

    /// Returns the dependencies that the equations show, found once for these numbers of rows. Two rows stand for all:
    /// one row hides what depends on its argument.
    fn dependency_analysis(&self) -> Outcome<&DependencyAnalysis> {
        if let Some(known) = self.dependency_analysis.get() {
            return Ok(known);
        }
        let rows = |layout: &Layout| layout.row_counts().map(|rows| rows.min(2)).collect::<Vec<_>>();
        let now = rows(&self.layout);
        let found = if now == rows(&self.own_layout) {
            let configuration = Configuration::parse(&self.text).map_err(CallError::error)?;
            dependency_analysis(&*self.model, &self.own_layout, &configuration).map_err(CallError::error)?
        } else {
            DependencyAnalysis::of(&*self.model, &self.own_layout.resized(&now).0, true)
        };
        Ok(self.dependency_analysis.get_or_init(|| found))
    }

    /// Returns the value references of the variables with any of these bits.
    fn variables(&self, base: Base, bits: u16) -> impl Iterator<Item = u32> {
        let (rules, widths) = match base {
            Base::Real => (&self.layout.reals, Some(&self.layout.real_widths)),
            Base::Integer => (&self.layout.integers, Some(&self.layout.integer_widths)),
            Base::Boolean => (&self.layout.booleans, None),
            Base::String => (&self.layout.strings, None),
        };
        let begins = move |slot: usize| widths.is_none_or(|widths| widths[slot] > 0);
        let with_bits =
            move |(slot, rule): (usize, &Rule)| (rule.has(bits) && begins(slot)).then(|| base.reference(slot));
        rules.iter().enumerate().filter_map(with_bits)
    }

    /// Returns the variable that an element belongs to, and its number there.
    fn place(&self, base: Base, element: u32) -> (u32, usize) {
        let widths = match base {
            Base::Real => &self.layout.real_widths,
            Base::Integer => &self.layout.integer_widths,
            Base::Boolean | Base::String => return (element, 1),
        };
        let slot = base.slot(element);
        let begin = widths[..=slot].iter().rposition(|width| *width > 0).unwrap_or(slot);
        (base.reference(begin), slot - begin + 1)
    }
}

/// Returns the dependency of all elements on all elements of this variable.
fn whole(independent: u32) -> Dependency {
    Dependency { element: 0, independent, independent_element: 0 }
}
