"""Training, evaluation, export and teaching of the models."""
