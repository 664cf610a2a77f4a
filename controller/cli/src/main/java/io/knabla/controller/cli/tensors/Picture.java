package io.knabla.controller.cli.tensors;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.CliFailure;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Image;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;

/**
 * Converts a picture to the input of an image model. Scales it to the height and width of the input, makes it grey if
 * the input has one channel; values are 0..1 for floats and 0..255 for UINT8. A grey model is assumed to be trained on
 * light ink on a dark background, as digit data sets are: a picture with a light border is inverted.
 */
final class Picture {
    private final List<Long> shape;
    private final boolean channelsFirst;
    private final int channels;
    private final int height;
    private final int width;

    private Picture(List<Long> shape, boolean channelsFirst) {
        this.shape = shape;
        this.channelsFirst = channelsFirst;
        this.channels = shape.get(channelsFirst ? 1 : 3).intValue();
        this.height = shape.get(channelsFirst ? 2 : 1).intValue();
        this.width = shape.get(channelsFirst ? 3 : 2).intValue();
    }

    static boolean isPicture(byte[] file) {
        if (file.length < 4) {
            return false;
        }
        int magic = ByteBuffer.wrap(file).getInt();
        return magic == 0x89504e47 // PNG
                || magic >>> 8 == 0xffd8ff // JPEG
                || magic == 0x47494638 // GIF
                || magic >>> 16 == 0x424d; // BMP
    }

    static Tensor tensor(JsonNode spec, byte[] file) {
        String datatype = spec.path("datatype").asText();
        if (!datatype.equals("FP32") && !datatype.equals("UINT8")) {
            throw CliFailure.failed(
                    "a picture becomes FP32 or UINT8, and this model wants %s. Send .npy or JSON.", datatype);
        }
        Picture picture = fitting(spec);
        byte[] bytes = picture.values(read(file), datatype.equals("FP32"));
        return new Tensor(spec.path("name").asText(), datatype, picture.shape, bytes);
    }

    /** Detects the layout, NCHW or NHWC, by the position of the 1 or 3 channels. */
    private static Picture fitting(JsonNode spec) {
        List<Long> shape = new ArrayList<>();
        spec.path("shape").forEach(size -> shape.add(size.asLong()));
        boolean four = shape.size() == 4;
        boolean first = four && isChannels(shape.get(1)) && shape.get(2) > 0 && shape.get(3) > 0;
        boolean last = four && isChannels(shape.get(3)) && shape.get(1) > 0 && shape.get(2) > 0;
        if (!first && !last) {
            throw CliFailure.failed(
                    "input '%s' of shape %s does not look like a picture: that would be"
                            + " [N, 1 or 3, height, width] or [N, height, width, 1 or 3]. Send .npy or JSON.",
                    spec.path("name").asText(), shape);
        }
        shape.set(0, 1L);
        return new Picture(shape, first);
    }

    private static boolean isChannels(long size) {
        return size == 1 || size == 3;
    }

    private static BufferedImage read(byte[] file) {
        try {
            BufferedImage image = ImageIO.read(new ByteArrayInputStream(file));
            if (image != null) {
                return image;
            }
        } catch (IOException | RuntimeException broken) {
            throw CliFailure.because(broken, "the picture cannot be read: %s. Save it again.", broken.getMessage());
        }
        throw CliFailure.failed("the picture is of no kind that Java reads; save it as PNG");
    }

    private byte[] values(BufferedImage image, boolean floats) {
        int[] pixels = scaled(image).getRGB(0, 0, width, height, null, 0, width);
        float[][] planes = channels == 1 ? new float[][] {grey(pixels)} : colours(pixels);
        var buffer = ByteBuffer.allocate(channels * height * width * (floats ? 4 : 1))
                .order(ByteOrder.LITTLE_ENDIAN);
        int count = channels * height * width;
        for (int i = 0; i < count; i++) {
            int channel = channelsFirst ? i / (height * width) : i % channels;
            int pixel = channelsFirst ? i % (height * width) : i / channels;
            float value = planes[channel][pixel];
            if (floats) {
                buffer.putFloat(value / 255);
            } else {
                buffer.put((byte) Math.round(value));
            }
        }
        return buffer.array();
    }

    /** A picture of the right size is not scaled: that would blur it and cost accuracy. */
    private BufferedImage scaled(BufferedImage image) {
        var canvas = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        if (image.getWidth() == width && image.getHeight() == height) {
            copyRaw(image, canvas);
            return canvas;
        }
        Graphics2D graphics = canvas.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BICUBIC);
        // Averages areas: with a large reduction, interpolation alone would skip pixels.
        Image smooth = image.getScaledInstance(width, height, Image.SCALE_AREA_AVERAGING);
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, width, height);
        graphics.drawImage(smooth, 0, 0, null);
        graphics.dispose();
        return canvas;
    }

    /** Grey samples are taken as they are: Java would convert them through a linear colour space. */
    private static void copyRaw(BufferedImage image, BufferedImage canvas) {
        boolean grey =
                image.getRaster().getNumBands() == 1 && image.getSampleModel().getSampleSize(0) == 8;
        boolean indexed = image.getColorModel() instanceof java.awt.image.IndexColorModel;
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                int sample = grey && !indexed
                        ? image.getRaster().getSample(x, y, 0) * 0x010101
                        : overWhite(image.getRGB(x, y));
                canvas.setRGB(x, y, sample);
            }
        }
    }

    /** The colour of a pixel that may be transparent, painted over white. */
    private static int overWhite(int argb) {
        int alpha = argb >>> 24;
        int rgb = 0;
        for (int shift = 0; shift <= 16; shift += 8) {
            int missing = 255 - (argb >> shift & 0xff);
            rgb |= (255 - (missing * alpha + 127) / 255) << shift;
        }
        return rgb;
    }

    private float[] grey(int[] pixels) {
        float[][] colours = colours(pixels);
        float[] grey = new float[pixels.length];
        for (int i = 0; i < grey.length; i++) {
            grey[i] = 0.299f * colours[0][i] + 0.587f * colours[1][i] + 0.114f * colours[2][i];
        }
        if (border(grey) > 127) {
            for (int i = 0; i < grey.length; i++) {
                grey[i] = 255 - grey[i];
            }
        }
        return grey;
    }

    private static float[][] colours(int[] pixels) {
        float[][] planes = new float[3][pixels.length];
        for (int i = 0; i < pixels.length; i++) {
            planes[0][i] = pixels[i] >> 16 & 0xff;
            planes[1][i] = pixels[i] >> 8 & 0xff;
            planes[2][i] = pixels[i] & 0xff;
        }
        return planes;
    }

    private double border(float[] grey) {
        double sum = 0;
        int count = 0;
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                if (y == 0 || x == 0 || y == height - 1 || x == width - 1) {
                    sum += grey[y * width + x];
                    count++;
                }
            }
        }
        return sum / count;
    }
}
