"""What only the course needs: data sets, pictures, explorers, exercises and the experiments of the paper."""
