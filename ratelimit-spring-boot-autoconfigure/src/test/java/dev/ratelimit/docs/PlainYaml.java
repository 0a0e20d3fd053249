package dev.ratelimit.docs;

import java.io.StringReader;
import java.util.regex.Pattern;

import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * Reads YAML as editors do: {@code on} and {@code off} are strings.
 */
final class PlainYaml {

	private PlainYaml() {
	}

	static Object read(String yaml) {
		return new Yaml(new SafeConstructor(new LoaderOptions()), new Representer(new DumperOptions()),
				new DumperOptions(), new Words())
			.load(new StringReader(yaml));
	}

	private static final class Words extends Resolver {

		@Override
		protected void addImplicitResolvers() {
			addImplicitResolver(Tag.BOOL, Pattern.compile("^(?:true|false)$"), "tf");
			addImplicitResolver(Tag.INT, INT, "-+0123456789");
			addImplicitResolver(Tag.FLOAT, FLOAT, "-+0123456789.");
			addImplicitResolver(Tag.NULL, NULL, "~nN\0");
		}

	}

}
