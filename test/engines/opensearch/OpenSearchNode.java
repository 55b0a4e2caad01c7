import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.opensearch.analysis.common.CommonAnalysisPlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.index.mapper.MapperExtrasPlugin;
import org.opensearch.index.reindex.ReindexPlugin;
import org.opensearch.ingest.common.IngestCommonPlugin;
import org.opensearch.node.Node;
import org.opensearch.painless.PainlessPlugin;
import org.opensearch.transport.Netty4Plugin;

/**
 * One OpenSearch node on 127.0.0.1 in this process: java OpenSearchNode.java HOME PORT [key=value ...]
 * Port 0 takes any free one. Prints "READY port", and ends when its input ends, so that it never outlives a test run.
 */
public class OpenSearchNode extends Node {
    private OpenSearchNode(Environment environment) {
        super(
            environment,
            List.of(
                Netty4Plugin.class,
                CommonAnalysisPlugin.class,
                IngestCommonPlugin.class,
                PainlessPlugin.class,
                ReindexPlugin.class,
                MapperExtrasPlugin.class
            ),
            false
        );
    }

    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]).toAbsolutePath();
        for (String folder : List.of("config", "modules", "plugins")) Files.createDirectories(home.resolve(folder));
        Settings.Builder settings = Settings.builder()
            .put("path.home", home.toString())
            .put("cluster.name", "crawler-test")
            .put("node.name", "node")
            .put("discovery.type", "single-node")
            .put("network.host", "127.0.0.1")
            .put("http.port", arguments[1])
            .put("transport.port", "0")
            .put("http.type", "netty4")
            .put("transport.type", "netty4")
            .put("node.store.allow_mmap", false)
            .put("cluster.routing.allocation.disk.threshold_enabled", false);
        for (int i = 2; i < arguments.length; i++) {
            String[] setting = arguments[i].split("=", 2);
            settings.put(setting[0], setting[1]);
        }
        OpenSearchNode node = new OpenSearchNode(new Environment(settings.build(), home.resolve("config")));
        node.start();
        HttpServerTransport http = node.injector().getInstance(HttpServerTransport.class);
        System.out.println("READY " + http.boundAddress().publishAddress().getPort());
        while (System.in.read() != -1) { }
        node.close();
        node.awaitClose(10, TimeUnit.SECONDS);
        System.exit(0);
    }
}
