package dev.ratelimit.docs;

import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import dev.ratelimit.docs.MarkdownPage.Snippet;

/**
 * Compiles snippets with the class path of the tests. A snippet is a compilation unit or
 * members of a class, both of which may start with imports.
 */
final class SnippetCompiler {

	private static final Pattern TYPE = Pattern.compile("(?m)^(public )?(final )?(class|record|interface|enum) (\\w+)");

	private static final Pattern IMPORTS = Pattern.compile("(?ms)\\A((?:import [^;]+;|\\s)*)(.*)");

	private SnippetCompiler() {
	}

	/**
	 * Compile a snippet.
	 * @param snippet the snippet
	 * @param target the directory for classes
	 * @return the errors and warnings; empty if there are none
	 */
	static String compile(Snippet snippet, Path target) {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		StringWriter output = new StringWriter();
		List<String> options = List.of("-proc:none", "-parameters", "-Xlint:all", "-Werror", "-Xlint:-path,-classfile",
				"-classpath", System.getProperty("java.class.path"), "-d", target.toString());
		boolean compiled = compiler.getTask(output, null, null, options, null, List.of(source(snippet.text()))).call();
		return (compiled) ? "" : "does not compile:\n" + output;
	}

	private static SimpleJavaFileObject source(String snippet) {
		Matcher type = TYPE.matcher(snippet);
		boolean whole = type.find();
		return new Source((whole) ? type.group(4) : "Snippet", (whole) ? snippet : wrapped(snippet));
	}

	private static String wrapped(String members) {
		Matcher parts = IMPORTS.matcher(members);
		return (parts.matches()) ? parts.group(1) + "class Snippet {\n" + parts.group(2) + "}\n" : members;
	}

	private static final class Source extends SimpleJavaFileObject {

		private final String text;

		Source(String type, String text) {
			super(URI.create("string:///" + type + ".java"), Kind.SOURCE);
			this.text = text;
		}

		@Override
		public CharSequence getCharContent(boolean ignoreEncodingErrors) {
			return this.text;
		}

	}

}
