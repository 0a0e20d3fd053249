package dev.ratelimit.autoconfigure;

/**
 * Thrown if the configured store cannot be used.
 */
final class StoreConfigurationException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String action;

	StoreConfigurationException(String description, String action) {
		super(description);
		this.action = action;
	}

	String action() {
		return this.action;
	}

}
