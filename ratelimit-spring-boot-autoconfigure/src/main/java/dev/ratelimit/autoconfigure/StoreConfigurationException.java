package dev.ratelimit.autoconfigure;

/**
 * The store that is asked for cannot be used.
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
