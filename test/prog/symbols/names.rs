use std::collections::HashMap;

fn main() {
    let mut words = HashMap::new();
    for word in std::env::args() {
        *words.entry(word).or_insert(0) += 1;
    }
    let mut sorted: Vec<_> = words.iter().collect();
    sorted.sort();
    println!("{:?}", sorted);
}
