"""The Dobrushin coefficient of attention, exactly."""
