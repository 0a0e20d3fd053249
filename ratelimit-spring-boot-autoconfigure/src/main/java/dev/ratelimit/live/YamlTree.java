package dev.ratelimit.live;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import dev.ratelimit.rule.ShownText;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.representer.Representer;

/**
 * Reads YAML, which includes JSON, as maps, lists, and texts, directly from the events of
 * the parser. Tags do not create objects, aliases are not followed, and scalars are not
 * converted to numbers or dates.
 */
final class YamlTree {

	private final Iterator<Event> events;

	private final int maxDepth;

	private YamlTree(String text, int maxDepth, int maxCharacters) {
		this.maxDepth = maxDepth;
		LoaderOptions options = new LoaderOptions();
		options.setCodePointLimit(maxCharacters);
		DumperOptions dumper = new DumperOptions();
		this.events = new Yaml(new SafeConstructor(options), new Representer(dumper), dumper, options)
			.parse(new StringReader(text))
			.iterator();
	}

	/**
	 * Read one document.
	 * @param text the text
	 * @return a map, a list, or a text
	 * @throws IllegalArgumentException if it is not one document, or contains elements
	 * that are not allowed; the message is a sentence without a period
	 */
	static Object read(String text) {
		return read(text, RuleTree.MAX_CHARACTERS);
	}

	/**
	 * Read a text that may be longer than a document.
	 * @param text the text
	 * @param maxCharacters the maximum length
	 * @return a map, a list, or a text
	 * @throws IllegalArgumentException as {@link #read(String)}
	 */
	static Object read(String text, int maxCharacters) {
		return read(() -> new YamlTree(text, RuleTree.MAX_DEPTH + 1, maxCharacters).document());
	}

	/**
	 * Read all documents of a text.
	 * @param text the text
	 * @param maxDepth the maximum depth
	 * @return a map, a list, or a text for each document
	 * @throws IllegalArgumentException if a document contains elements that are not
	 * allowed; the message is a sentence without a period
	 */
	static List<Object> readAll(String text, int maxDepth) {
		return read(() -> new YamlTree(text, maxDepth, RuleTree.MAX_CHARACTERS).documents());
	}

	private static <T> T read(Supplier<T> reading) {
		try {
			return reading.get();
		}
		catch (MarkedYAMLException ex) {
			int line = (ex.getProblemMark() != null) ? ex.getProblemMark().getLine() + 1 : 0;
			throw new IllegalArgumentException("line " + line + ": " + ShownText.of(String.valueOf(ex.getProblem())),
					ex);
		}
		catch (YAMLException ex) {
			throw new IllegalArgumentException("the text is not YAML", ex);
		}
	}

	private List<Object> documents() {
		List<Object> documents = new ArrayList<>();
		this.events.next();
		for (Event next = this.events.next(); next.is(Event.ID.DocumentStart); next = this.events.next()) {
			documents.add(value(this.events.next(), 0));
			this.events.next();
		}
		return documents;
	}

	private Object document() {
		this.events.next();
		Event start = this.events.next();
		require(start.is(Event.ID.DocumentStart), start, "the text is empty");
		Object root = value(this.events.next(), 0);
		this.events.next();
		Event end = this.events.next();
		require(end.is(Event.ID.StreamEnd), end, "there is a second document");
		return root;
	}

	private Object value(Event event, int depth) {
		require(depth <= this.maxDepth, event, "it is nested too deeply");
		require(!(event instanceof AliasEvent), event, "aliases are not allowed");
		require(!(event instanceof NodeEvent node && node.getAnchor() != null), event, "anchors are not allowed");
		if (event instanceof ScalarEvent scalar) {
			require(scalar.getTag() == null, event, "tags are not allowed");
			return scalar.getValue();
		}
		if (event instanceof SequenceStartEvent sequence) {
			require(sequence.getTag() == null, event, "tags are not allowed");
			return list(depth);
		}
		require(event instanceof MappingStartEvent mapping && mapping.getTag() == null, event, "tags are not allowed");
		return map(depth);
	}

	private List<Object> list(int depth) {
		List<Object> list = new ArrayList<>();
		for (Event next = this.events.next(); !next.is(Event.ID.SequenceEnd); next = this.events.next()) {
			list.add(value(next, depth + 1));
		}
		return list;
	}

	private Map<String, Object> map(int depth) {
		Map<String, Object> map = new LinkedHashMap<>();
		for (Event next = this.events.next(); !next.is(Event.ID.MappingEnd); next = this.events.next()) {
			require(next instanceof ScalarEvent, next, "a name must be a text");
			String key = (String) value(next, depth + 1);
			require(!map.containsKey(key), next, "'" + ShownText.of(key) + "' is there twice");
			map.put(key, value(this.events.next(), depth + 1));
		}
		return map;
	}

	private static void require(boolean condition, Event event, String reason) {
		if (!condition) {
			int line = (event.getStartMark() != null) ? event.getStartMark().getLine() + 1 : 0;
			throw new IllegalArgumentException("line " + line + ": " + reason);
		}
	}

}
