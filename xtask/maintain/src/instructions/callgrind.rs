//! Reader of callgrind's files.

/// Returns, for each dump of a file, the inclusive instruction counts of all calls of FMI functions.
///
/// A call has three lines: the function called, the number of calls, and a position with the cost.
pub fn totals(file: &str) -> Vec<u64> {
    let mut totals = Vec::new();
    let mut lines = file.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("part:") {
            totals.push(0);
        }
        if line.strip_prefix("cfn=").is_some_and(|name| name.starts_with("fmi2")) {
            let costs = lines.by_ref().find(|line| !line.starts_with("calls="));
            let cost = costs.and_then(|costs| costs.split_whitespace().nth(1)?.parse::<u64>().ok());
            *totals.last_mut().expect("a dump begins with a part") += cost.expect("callgrind writes costs of calls");
        }
    }
    totals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_of_fmi_functions_are_added_up_in_each_part() {
        let file = "# callgrind format\nversion: 1\n\npart: 1\nevents: Ir\n\nfn=main\n3 7\ncob=libc.so\ncfn=malloc\n\
            calls=2 0 \n4 50\ncfn=fmi2SetReal\ncalls=1 0 \n9 30\n\npart: 2\nfn=fmi2SetReal\n0 12\ncfn=memcpy\ncalls=1 0\n\
            0 5\n\nfn=work\ncfn=fmi2SetReal\ncalls=10 0 \n9 170\ncfn=fmi2DoStep\ncalls=10 0 \n9 3000\n\npart: 3\n";
        assert_eq!(totals(file), [30, 3170, 0]);
    }
}
