"""What several explorers compute with: models with exact answers, batches of settings, and limits."""
