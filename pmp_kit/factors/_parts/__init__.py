"""Code that several factor types share: messages of pairs, layouts of arrays, hard constraints."""
