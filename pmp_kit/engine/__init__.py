"""The engine: layout of arrays, chunks of samples, devices, progress, and checks of arguments. Users never need it."""
