"""What several explorers compute with: models with exact answers, first strokes, batches of settings, and limits."""
