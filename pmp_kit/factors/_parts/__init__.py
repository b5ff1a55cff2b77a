"""What several factor types are made of: messages of pairs, layouts of arrays, hard constraints."""
