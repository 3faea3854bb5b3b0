"""What every training needs: who is held out, steps, batches, threads, and how processes meet."""
