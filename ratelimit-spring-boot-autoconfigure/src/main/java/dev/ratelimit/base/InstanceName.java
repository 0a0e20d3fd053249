package dev.ratelimit.base;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Internal: the identity of this instance.
 *
 * @param id the random id, which distinguishes instances on the same host
 * @param host the name of the host
 */
public record InstanceName(String id, String host) {

	private static final int ID_BYTES = 4;

	public static InstanceName random() {
		byte[] id = new byte[ID_BYTES];
		new SecureRandom().nextBytes(id);
		return new InstanceName(HexFormat.of().formatHex(id), localHost());
	}

	private static String localHost() {
		String name = System.getenv("HOSTNAME");
		if (name != null && !name.isBlank()) {
			return name;
		}
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return "unknown";
		}
	}

}
