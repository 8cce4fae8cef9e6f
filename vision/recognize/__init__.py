"""From a still frame to a reading: where the pigs are, how each landed, whether they touch."""
