package dev.ratelimit.live;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keys at one revision.
 *
 * @param cluster the id of the cluster
 * @param revision the revision of the whole etcd
 * @param entries the keys
 */
record EtcdRange(String cluster, long revision, List<Entry> entries) {

	static EtcdRange of(Map<String, Object> response) throws EtcdException {
		try {
			Map<?, ?> header = (Map<?, ?>) field(response, "header");
			List<Entry> entries = new ArrayList<>();
			for (Object entry : (List<?>) response.getOrDefault("kvs", List.of())) {
				entries.add(Entry.of((Map<?, ?>) entry));
			}
			return new EtcdRange(field(header, "cluster_id").toString(),
					Long.parseLong(field(header, "revision").toString()), entries);
		}
		catch (ClassCastException | IllegalArgumentException ex) {
			throw new EtcdException("the response is not that of etcd", ex);
		}
	}

	private static Object field(Map<?, ?> map, String name) {
		return Optional.ofNullable(map.get(name)).orElseThrow(() -> new IllegalArgumentException("no " + name));
	}

	/**
	 * The latest revision of the keys.
	 * @return the revision; 0 if there is no key
	 */
	long latest() {
		return this.entries.stream().mapToLong(Entry::revision).max().orElse(0);
	}

	/**
	 * A key.
	 *
	 * @param key its name
	 * @param revision the revision of its last change
	 * @param value its value
	 */
	record Entry(byte[] key, long revision, byte[] value) {

		static Entry of(Map<?, ?> map) {
			return new Entry(decode(map, "key"), Long.parseLong(field(map, "mod_revision").toString()),
					decode(map, "value"));
		}

		// The response omits empty values.
		private static byte[] decode(Map<?, ?> map, String name) {
			Object text = map.get(name);
			return (text != null) ? Base64.getDecoder().decode(text.toString()) : new byte[0];
		}

		String name() {
			return new String(this.key, StandardCharsets.UTF_8);
		}

		String text() {
			try {
				return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(this.value)).toString();
			}
			catch (CharacterCodingException ex) {
				throw new IllegalArgumentException("the text is not UTF-8", ex);
			}
		}

	}

}
