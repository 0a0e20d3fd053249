package dev.ratelimit.base;

/**
 * Internal: thrown if the configured store cannot be used.
 */
public final class StoreConfigurationException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String action;

	public StoreConfigurationException(String description, String action) {
		super(description);
		this.action = action;
	}

	public String action() {
		return this.action;
	}

}
