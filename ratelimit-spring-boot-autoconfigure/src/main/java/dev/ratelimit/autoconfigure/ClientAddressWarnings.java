package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.ratelimit.RuleMode;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleSet;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.core.env.Environment;

/**
 * Logs a warning once if rules that count by address probably use the wrong address.
 */
final class ClientAddressWarnings {

	private static final Log logger = LogFactory.getLog(ClientAddressWarnings.class);

	private static final String STRATEGY = "server.forward-headers-strategy";

	private final ClientAddressProperties properties;

	private final String strategy;

	private final boolean tomcat;

	private final AtomicBoolean warned = new AtomicBoolean();

	/**
	 * Create the warnings about an application.
	 * @param properties the properties of the client address
	 * @param environment the properties, which configure the use of forwarding headers
	 * @param tomcat whether the server is Tomcat, the only one with a list of proxies
	 */
	ClientAddressWarnings(ClientAddressProperties properties, Environment environment, boolean tomcat) {
		this.properties = properties;
		this.strategy = strategy(environment);
		this.tomcat = tomcat;
	}

	private static String strategy(Environment environment) {
		String chosen = environment.getProperty(STRATEGY);
		if (chosen != null) {
			return chosen.toLowerCase(Locale.ROOT);
		}
		CloudPlatform platform = CloudPlatform.getActive(environment);
		return (platform != null && platform.isUsingForwardHeaders()) ? "native" : "none";
	}

	void use(RuleSet rules) {
		List<String> byAddress = rules.rules()
			.values()
			.stream()
			.filter(ClientAddressWarnings::countsByAddress)
			.map(Rule::id)
			.sorted()
			.toList();
		String warning = warning();
		if (!byAddress.isEmpty() && !warning.isEmpty() && this.warned.compareAndSet(false, true)) {
			logger.warn("Rules that use client addresses: " + byAddress + ". " + warning);
		}
	}

	private String warning() {
		if (this.strategy.equals("none")) {
			return "";
		}
		if (this.properties.trustsNoProxy()) {
			return "No trusted proxy is configured, but '" + STRATEGY + "' is '" + this.strategy
					+ "': behind a proxy, all clients share one bucket. Set"
					+ " 'ratelimit.client-address.trusted-proxies' or '.trusted-hops'.";
		}
		boolean leftMost = this.strategy.equals("framework") || !this.tomcat;
		return (leftMost && this.properties.source() == ClientAddressProperties.Source.CONTAINER)
				? "With 'ratelimit.client-address.source: container' and '" + STRATEGY + ": " + this.strategy
						+ "', the address is the leftmost one in the forwarding headers, which clients control. Remove"
						+ " 'source' and set 'ratelimit.client-address.trusted-proxies' or '.trusted-hops'."
				: "";
	}

	private static boolean countsByAddress(Rule rule) {
		return rule.reaction().mode() != RuleMode.OFF && !rule.match().programmatic() && rule.key().mayUseAddress();
	}

}
